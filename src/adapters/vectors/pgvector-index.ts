import { Document } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { Pool } from 'pg';
import type { Filter } from '../../core/filter.ts';
import type { JsonObject } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { ChunkIndex, KeywordQuery, VectorQuery } from '../../ports/chunk-index.ts';
import type { EmbeddingModel } from '../../ports/language-model.ts';
import type { Query } from '../../ports/query.ts';
import { createTermReader } from '../text-analysis/terms.ts';
import { createAtOneVersion } from './at-one-version.ts';
import { createChunkIndexer } from './chunk-indexer.ts';
import { createChunkRows } from './chunk-rows.ts';
import { type DatasetScope, type Placement, toChunkFilter } from './dataset-filter.ts';
import { DatasetVectorStore } from './dataset-vector-store.ts';
import { fuse } from './fuse.ts';
import { createByKeywords } from './keywords/by-keywords.ts';
import { createKeywordStatements } from './keywords/keyword-statements.ts';
import { createPassingChunks } from './memory/passing-chunks.ts';
import type { SearchMemory } from './memory/search-memory.ts';
import { createNearest, type Thresholds } from './nearest.ts';
import { createNeighbours } from './neighbours.ts';
import { type Scored, toScored } from './store-documents.ts';
import { toUnitVector } from './unit-vector.ts';
import { readVectorEncoding, type VectorEncoding } from './vector-encoding.ts';

/** The index, with its datasets as LangChain vector stores. */
export interface PgvectorIndex extends ChunkIndex {
  /** How the database stores vectors. */
  readonly encoding: VectorEncoding;
  /**
   * @param findScope returns the dataset's current scope; called once by each method of the store
   * @param conditions its searches find only chunks that match all of these; default: none
   */
  openStore(
    findScope: () => DatasetScope | Promise<DatasetScope>,
    conditions?: Filter[],
  ): DatasetVectorStore;
}

/**
 * The chunk index in PostgreSQL with pgvector, through LangChain's vector store.
 *
 * @param thresholds when codes are used to find candidates; default: the values measured to be best
 */
export async function createPgvectorIndex({
  pool,
  query,
  cache,
  embeddings,
  encoding: known,
  thresholds,
  isDistributed,
}: Placement & {
  pool: Pool;
  query: Query;
  cache: SearchMemory;
  embeddings: EmbeddingModel;
  /** Default: read from the database. */
  encoding?: VectorEncoding;
  thresholds?: Thresholds;
}): Promise<PgvectorIndex> {
  const encoding = known ?? (await readVectorEncoding(pool));
  const statementParts = { pool, query, encoding, isDistributed };
  const nearest = createNearest(statementParts, cache, thresholds);
  const reader = createTermReader();
  const rows = createChunkRows({ encoding, reader });
  const keywords = createByKeywords(
    createKeywordStatements(statementParts),
    cache,
    createPassingChunks(statementParts),
  );
  const neighbours = createNeighbours(statementParts);
  const atOneVersion = createAtOneVersion(statementParts);
  const langchainEmbeddings = toLangChain(embeddings);
  const stores = { pool, query, rows, nearest };
  const openStore: PgvectorIndex['openStore'] = (findScope, conditions) =>
    new DatasetVectorStore(langchainEmbeddings, stores, findScope, conditions);

  return {
    encoding,
    openStore,

    async add({ loaderKey, ...scope }, chunks, vectors) {
      const documents = chunks.map(
        ({ content, metadata }) => new Document({ pageContent: content, metadata }),
      );
      const positions = chunks.map(({ position }) => position);
      const run = { loaderKey, positions };
      await openStore(() => scope).addVectors(vectors, documents, { run });
    },

    async search(query) {
      const found = await rank(query);
      return found.map(([{ id = '', pageContent, metadata }, score]) => ({
        key: id,
        score,
        pageContent,
        metadata: metadata as JsonObject,
      }));
    },

    async neighbours({ filters, ...scope }, keys, reach) {
      return neighbours({ ...scope, filter: toChunkFilter(filters) }, keys, reach);
    },

    async documentFrequencies({ filters, ...scope }, words) {
      const filter = toChunkFilter(filters);
      const termsOfWords = words.map((word) => [...reader.read(word).terms]);
      const terms = [...new Set(termsOfWords.flat())].sort((a, b) => a - b);
      const { chunks, frequencies } = await keywords.frequencies({ ...scope, filter, terms });
      const counts = new Map(terms.map((term, at) => [term, frequencies[at] ?? 0]));
      return {
        chunkCount: chunks,
        counts: termsOfWords.map((wordTerms) =>
          wordTerms.length > 0 ? Math.min(...wordTerms.map((term) => counts.get(term) ?? 0)) : 0,
        ),
      };
    },

    async remove(customerKey, loaderKeys) {
      const condition = Prisma.sql`loader_key = ANY (${loaderKeys}::bigint[])`;
      await rows.remove(pool, customerKey, condition);
    },

    complete: createChunkIndexer(pool, { encoding, reader }),
  };

  async function rank(query: VectorQuery | KeywordQuery): Promise<Scored[]> {
    switch (query.mode) {
      case 'keyword':
        return byKeywords(query, query.limit);
      case 'hybrid':
        return atOneVersion(query, () => byBoth(query));
      default:
        return byVector(query, query.limit);
    }
  }

  async function byBoth(query: KeywordQuery): Promise<Scored[]> {
    const depth = Math.max(FUSED_DEPTH, query.limit);
    const rankings = [byVector(query, depth), byKeywords(query, depth)];
    return fuse(await Promise.all(rankings), ([{ id }]) => id ?? '', query.limit);
  }

  function byVector(
    { vector, filters, ...scope }: Omit<VectorQuery, 'mode'>,
    limit: number,
  ): Promise<Scored[]> {
    const { values, conditions } = toChunkFilter(filters);
    const store = openStore(() => scope, conditions);
    return store.similaritySearchVectorWithScore(vector, limit, values);
  }

  async function byKeywords(
    { question, filters, ...query }: KeywordQuery,
    limit: number,
  ): Promise<Scored[]> {
    const terms = reader.readQuestion(question);
    if (terms.length === 0) return [];
    const vector = toUnitVector(query.vector);
    const filter = toChunkFilter(filters);
    return (await keywords.best({ ...query, filter, vector, terms, limit })).map(toScored);
  }
}

/**
 * The minimum number of hits to fuse from each ranking. A hit in both then precedes the first hit
 * of only one.
 */
const FUSED_DEPTH = 30;

function toLangChain(model: EmbeddingModel): EmbeddingsInterface {
  return {
    embedQuery: async (text) => Array.from(await model.embedQuestion(text)),
    embedDocuments: async (texts) => (await model.embedTexts(texts)).map((v) => Array.from(v)),
  };
}
