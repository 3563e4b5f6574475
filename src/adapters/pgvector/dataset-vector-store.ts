import { PGVectorStore } from '@langchain/community/vectorstores/pgvector';
import { Document } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { Pool } from 'pg';
import type { VectorEncoding } from './vector-encoding.ts';

/** The dataset that a store is about. */
export interface DatasetScope {
  customerKey: number;
  datasetKey: number;
}

type Scalar = string | number | boolean;

/**
 * LangChain's vector store over one dataset, with SQL of our own: scoped in every statement,
 * filters typed and never part of the SQL (PGVectorStore pastes their keys into it and compares
 * text), vectors in binary, and no vector in the answer. Scores are cosine similarities.
 */
export class DatasetVectorStore extends PGVectorStore {
  readonly #pool: Pool;
  readonly #encoding: VectorEncoding;
  readonly #scope: DatasetScope;

  constructor(
    embeddings: EmbeddingsInterface,
    { pool, encoding, scope }: { pool: Pool; encoding: VectorEncoding; scope: DatasetScope },
  ) {
    super(embeddings, { pool, tableName: 'chunk', distanceStrategy: 'innerProduct' });
    this.#pool = pool;
    this.#encoding = encoding;
    this.#scope = scope;
  }

  /**
   * Adds the chunks of a loader run, in their order.
   *
   * @param vectors of length 1, one for each document
   */
  override async addVectors(
    vectors: (number[] | Float32Array)[],
    documents: Document[],
    options?: { ids?: string[]; loaderKey?: bigint; firstPosition?: number },
  ): Promise<void> {
    if (options?.loaderKey === undefined) throw new Error('chunks belong to a loader run');
    const { loaderKey, firstPosition = 0 } = options;
    const { customerKey, datasetKey } = this.#scope;
    await this.#pool.query({
      text: `
        WITH added AS (
          INSERT INTO chunk (customer_key, dataset_key, loader_key, position, content, metadata, embedding)
          SELECT $1, $2, $3, $4 + at - 1, content, metadata::jsonb, embedding
          FROM unnest($5::text[], $6::text[], $7::${this.#encoding.type}[])
            WITH ORDINALITY AS added(content, metadata, embedding, at)
        )
        UPDATE dataset SET chunk_count = chunk_count + $8 WHERE customer_key = $1 AND key = $2`,
      values: [
        customerKey,
        datasetKey,
        loaderKey,
        firstPosition,
        documents.map(({ pageContent }) => pageContent),
        documents.map(({ metadata }) => JSON.stringify(metadata)),
        this.#encoding.many(vectors.map((vector) => Float32Array.from(vector))),
        documents.length,
      ],
    });
  }

  /** The documents nearest to a vector of length 1, with their cosine similarity, nearest first. */
  override async similaritySearchVectorWithScore(
    query: number[] | Float32Array,
    k: number,
    filter?: this['FilterType'],
  ): Promise<[Document, number][]> {
    const { customerKey, datasetKey } = this.#scope;
    const { rows } = await this.#pool.query<{
      content: string;
      metadata: Record<string, unknown>;
      score: number;
    }>({
      // Content last: only the hits' rows are read whole.
      text: `
        SELECT chunk.content, chunk.metadata, -nearest.distance AS score FROM (
          SELECT key, embedding <#> $3::${this.#encoding.type} AS distance FROM chunk
          WHERE customer_key = $1 AND dataset_key = $2 AND metadata @> ALL ($4::jsonb[])
            AND loader_key <> ALL (ARRAY(SELECT loader_key FROM pending_file WHERE dataset_key = $2))
          ORDER BY distance, key LIMIT $5
        ) AS nearest
        JOIN chunk ON chunk.customer_key = $1 AND chunk.key = nearest.key
        ORDER BY nearest.distance, nearest.key`,
      values: [
        customerKey,
        datasetKey,
        this.#encoding.one(Float32Array.from(query)),
        toConditions(filter),
        k,
      ],
    });
    return rows.map(({ content, metadata, score }) => [
      new Document({ pageContent: content, metadata }),
      score,
    ]);
  }
}

/** One JSON object a filter: `@>` compares value and type, and a key is data in it. */
function toConditions(filter: Record<string, unknown> = {}): string[] {
  return Object.entries(filter).map(([key, value]) => {
    if (!isScalar(value))
      throw new Error(`The filter of ${JSON.stringify(key)} is not a plain value.`);
    return JSON.stringify({ [key]: value });
  });
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
