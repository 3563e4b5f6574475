import { Document } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { Pool } from 'pg';
import type { Filter, JsonObject } from '../../core/model.ts';
import type { EmbeddingModel, Vector } from '../../ports/language-model.ts';
import type { Query } from '../../ports/query.ts';
import type { VectorIndex } from '../../ports/vector-index.ts';
import { DatasetVectorStore } from './dataset-vector-store.ts';
import type { SearchMemory } from './memory/search-memory.ts';
import { createNearest, type Thresholds } from './nearest.ts';
import type { DatasetScope } from './statements.ts';
import { readVectorEncoding } from './vector-encoding.ts';

/**
 * The chunks in PostgreSQL with pgvector, through LangChain's vector store.
 *
 * @param thresholds when codes are looked at first; what was measured to be best unless given
 */
export async function createPgvectorIndex({
  pool,
  query,
  cache,
  embeddings,
  thresholds,
}: {
  pool: Pool;
  query: Query;
  cache: SearchMemory;
  embeddings: EmbeddingModel;
  thresholds?: Thresholds;
}): Promise<VectorIndex> {
  const encoding = await readVectorEncoding(pool);
  const nearest = createNearest({ pool, query, encoding }, cache, thresholds);
  const parts = { pool, encoding, nearest };
  const langchainEmbeddings = toLangChain(embeddings);
  const storeOf = (scope: DatasetScope) =>
    new DatasetVectorStore(langchainEmbeddings, parts, scope);

  return {
    async add({ loaderKey, ...scope }, chunks, vectors) {
      const documents = chunks.map(
        ({ content, metadata }) => new Document({ pageContent: content, metadata }),
      );
      const positions = chunks.map(({ position }) => position);
      await storeOf(scope).addVectors(vectors.map(normalise), documents, { loaderKey, positions });
    },

    async search({ vector, filters, limit, ...scope }) {
      const filter = toRecord(filters);
      if (!filter) return [];
      const found = await storeOf(scope).similaritySearchVectorWithScore(
        normalise(vector),
        limit,
        filter,
      );
      return found.map(([{ pageContent, metadata }, score]) => ({
        score,
        pageContent,
        metadata: metadata as JsonObject,
      }));
    },

    async remove(customerKey, loaderKeys) {
      await pool.query({
        text: `
          WITH gone AS (
            DELETE FROM chunk WHERE customer_key = $1 AND loader_key = ANY ($2::bigint[])
            RETURNING dataset_key
          ), counted AS (
            SELECT dataset_key, count(*)::int AS chunks FROM gone GROUP BY dataset_key
          )
          UPDATE dataset SET chunk_count = chunk_count - counted.chunks
          FROM counted WHERE dataset.customer_key = $1 AND dataset.key = counted.dataset_key`,
        values: [customerKey, loaderKeys],
      });
    },
  };
}

function toLangChain(model: EmbeddingModel): EmbeddingsInterface {
  return {
    embedQuery: async (text) => Array.from(await model.embedQuestion(text)),
    embedDocuments: async (texts) => (await model.embedTexts(texts)).map((v) => Array.from(v)),
  };
}

/** By how much the square of a length is off that is 1 but for the rounding of floats. */
const ROUNDING = 1e-6;

/** A vector of length 1 in the same direction, so that the inner product is the cosine; zero stays zero. */
function normalise(vector: Vector): Vector {
  // Loops by index: on typed arrays they are ten times as fast as iterators and callbacks.
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  if (squares === 0 || Math.abs(squares - 1) < ROUNDING) return vector;
  const scale = 1 / Math.sqrt(squares);
  const normalised = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) normalised[at] = (vector[at] as number) * scale;
  return normalised;
}

/** Filters by key; `undefined` when two of them ask different values of one key, which nothing has. */
function toRecord(filters: Filter[]): Record<string, Filter['match']['value']> | undefined {
  const record: Record<string, Filter['match']['value']> = Object.create(null);
  for (const { key, match } of filters) {
    if (key in record && record[key] !== match.value) return undefined;
    record[key] = match.value;
  }
  return record;
}
