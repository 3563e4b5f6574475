import { PGVectorStore } from '@langchain/community/vectorstores/pgvector';
import { Document } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { Pool } from 'pg';
import type { JsonObject } from '../../core/model.ts';
import type { TermReader } from '../text-analysis/terms.ts';
import type { DatasetScope } from './dataset-filter.ts';
import { createTokenizer, isScalar, type Scalar, type Token } from './filter-tokens.ts';
import { INDEX_COLUMNS, INDEX_TYPES, toIndexParameters } from './index-rows.ts';
import type { Nearest } from './nearest.ts';
import type { Hit } from './nearest-statements.ts';
import type { VectorEncoding } from './vector-encoding.ts';

/** What the stores of all datasets share. */
export interface StoreParts {
  pool: Pool;
  encoding: VectorEncoding;
  reader: TermReader;
  nearest: Nearest;
}

/**
 * LangChain's vector store over one dataset, with SQL of our own: scoped in every statement,
 * filters typed and never part of the SQL (PGVectorStore pastes their keys into it and compares
 * text), vectors in binary, and no vector in the answer. Scores are cosine similarities.
 */
export class DatasetVectorStore extends PGVectorStore {
  readonly #parts: StoreParts;
  readonly #scope: DatasetScope;

  constructor(embeddings: EmbeddingsInterface, parts: StoreParts, scope: DatasetScope) {
    const { pool } = parts;
    super(embeddings, { pool, tableName: 'chunk', distanceStrategy: 'innerProduct' });
    this.#parts = parts;
    this.#scope = scope;
  }

  /**
   * Adds chunks of a loader run; those that are there already stay as they are.
   *
   * @param vectors of length 1, one for each document
   * @param options `positions` are the documents' places in the text
   */
  override async addVectors(
    vectors: (number[] | Float32Array)[],
    documents: Document[],
    options?: { ids?: string[]; loaderKey?: bigint; positions?: number[] },
  ): Promise<void> {
    if (options?.loaderKey === undefined) throw new Error('chunks belong to a loader run');
    const { loaderKey, positions = documents.map((_, at) => at) } = options;
    const { customerKey, datasetKey } = this.#scope;
    const { pool, encoding, reader } = this.#parts;
    const tokensOf = createTokenizer(datasetKey);
    const tokens = documents.map(({ metadata }) => tokensOf(metadata));
    // The count waits for the chunks: it locks the dataset, and other batches would wait for them.
    await pool.query({
      text: `
        WITH new AS (
          SELECT * FROM unnest($4::int[], $5::text[], $6::text[], $7::text[],
            $8::${encoding.type}[], ${INDEX_TYPES.map((type, at) => `$${9 + at}::${type}`)})
            AS new(position, content, metadata, filter_tokens, embedding, ${INDEX_COLUMNS})
        ), added AS (
          INSERT INTO chunk (customer_key, dataset_key, loader_key, position,
            content, metadata, tokens, embedding)
          SELECT $1, $2, $3, position, content, metadata::jsonb, filter_tokens::bigint[], embedding
          FROM new
          ON CONFLICT DO NOTHING
          RETURNING key, position
        ), indexed AS (
          INSERT INTO chunk_index (customer_key, dataset_key, loader_key, key, ${INDEX_COLUMNS})
          SELECT $1, $2, $3, key, ${INDEX_COLUMNS} FROM added JOIN new USING (position)
        )
        UPDATE dataset SET chunk_count = chunk_count + (SELECT count(*) FROM added)
        WHERE customer_key = $1 AND key = $2`,
      values: [
        customerKey,
        datasetKey,
        loaderKey,
        positions,
        documents.map(({ pageContent }) => pageContent),
        documents.map(({ metadata }) => JSON.stringify(metadata)),
        tokens.map((all) => `{${all}}`),
        encoding.many(vectors),
        ...toIndexParameters(
          documents.map(({ pageContent, metadata }, at) => ({
            content: pageContent,
            metadata: metadata as JsonObject,
            vector: vectors[at] as Float32Array,
            tokens: tokens[at] as Token[],
          })),
          { encoding, reader },
        ),
      ],
    });
  }

  /** The documents nearest to a vector of length 1, with their cosine similarity, nearest first. */
  override async similaritySearchVectorWithScore(
    query: number[] | Float32Array,
    k: number,
    filter?: this['FilterType'],
  ): Promise<[Document, number][]> {
    const vector = Float32Array.from(query);
    const question = { ...this.#scope, vector, filter: readFilter(filter), limit: k };
    const hits = await this.#parts.nearest(question);
    return hits.map(toScored);
  }
}

/** A hit as LangChain has it. */
export function toScored({ key, content, metadata, score }: Hit): [Document, number] {
  return [new Document({ id: key, pageContent: content, metadata }), score];
}

function readFilter(filter: Record<string, unknown> = {}): Record<string, Scalar> {
  for (const [key, value] of Object.entries(filter)) {
    if (!isScalar(value)) {
      throw new Error(`The filter of ${JSON.stringify(key)} is not a plain value.`);
    }
  }
  return filter as Record<string, Scalar>;
}
