import { PGVectorStore } from '@langchain/community/vectorstores/pgvector';
import type { Document } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import type { MaxMarginalRelevanceSearchOptions } from '@langchain/core/vectorstores';
import type { Pool } from 'pg';
import type { Filter } from '../../core/filter.ts';
import type { JsonObject } from '../../core/model.ts';
import { searchableText } from '../../core/searchable-text.ts';
import type { Query } from '../../ports/query.ts';
import { addToFiles, findFileMetadata } from './add-to-files.ts';
import type { ChunkRows } from './chunk-rows.ts';
import type { DatasetScope } from './dataset-filter.ts';
import type { AddOptions, DatasetStore, StoreFilter } from './dataset-store.ts';
import type { Nearest } from './nearest.ts';
import type { Hit } from './nearest-statements.ts';
import { removeFromDataset } from './remove-from-dataset.ts';
import { readFilter, refuseIds, toChunk, toScored } from './store-documents.ts';
import { toUnitVector } from './unit-vector.ts';

/** The dependencies that the stores of all datasets share. */
export interface StoreParts {
  pool: Pool;
  query: Query;
  rows: ChunkRows;
  nearest: Nearest;
}

/**
 * LangChain's vector store over the chunks of one dataset. The tables and statements are those of the
 * gateway: each statement names the customer, filters are never part of the SQL, and searches are exact.
 * Scores are cosine similarities. The `id` of a document that was found names its chunk.
 */
export class DatasetVectorStore extends PGVectorStore implements DatasetStore {
  declare FilterType: StoreFilter;
  readonly #parts: StoreParts;
  readonly #findScope: () => DatasetScope | Promise<DatasetScope>;
  readonly #conditions: Filter[];

  /**
   * @param findScope where the dataset is now; called once by each method
   * @param conditions searches find only chunks that match all of these
   */
  constructor(
    embeddings: EmbeddingsInterface,
    parts: StoreParts,
    findScope: () => DatasetScope | Promise<DatasetScope>,
    conditions: Filter[] = [],
  ) {
    super(embeddings, {
      pool: parts.pool,
      tableName: 'chunk',
      distanceStrategy: 'innerProduct',
      scoreNormalization: 'similarity',
      // Migrations create the tables.
      skipInitializationCheck: true,
    });
    this.#parts = parts;
    this.#findScope = findScope;
    this.#conditions = conditions;
  }

  override async addDocuments(documents: Document[], options?: AddOptions): Promise<void> {
    refuseIds(options);
    const chunks = documents.map(toChunk);
    const files = await findFileMetadata(this.#parts.pool, await this.#findScope(), chunks);
    const texts = chunks.map(({ content, metadata }, at) =>
      searchableText({ content, metadata: { ...metadata, ...files[at] } }),
    );
    await this.addVectors(await this.embeddings.embedDocuments(texts), documents);
  }

  /**
   * @param options with `run`, all belong to that loader run, at these positions in its text, and positions
   *   that are taken are skipped
   */
  override async addVectors(
    vectors: (number[] | Float32Array)[],
    documents: Document[],
    options?: AddOptions & { run?: LoaderRun },
  ): Promise<void> {
    refuseIds(options);
    if (vectors.length !== documents.length) {
      throw new Error(`There are ${vectors.length} vectors for ${documents.length} documents.`);
    }
    const units = vectors.map(toUnitVector) as Float32Array[];
    const { pool, query, rows } = this.#parts;
    const scope = await this.#findScope();
    if (options?.run) {
      const { loaderKey, positions } = options.run;
      const chunks = documents.map(({ pageContent, metadata }, at) => ({
        position: positions[at] as number,
        content: pageContent,
        metadata: metadata as JsonObject,
        vector: units[at] as Float32Array,
      }));
      return rows.add(query, { ...scope, loaderKey }, chunks);
    }
    const chunks = documents.map((document, at) => ({
      ...toChunk(document),
      vector: units[at] as Float32Array,
    }));
    await addToFiles(pool, rows, scope, chunks);
  }

  override async delete({ ids, filter }: { ids?: string[]; filter?: StoreFilter }): Promise<void> {
    if ((ids === undefined) === (filter === undefined)) {
      throw new Error('Either ids or a filter must say what to delete.');
    }
    const { pool, rows } = this.#parts;
    const which = ids ? { keys: ids } : { filter: readFilter(filter) };
    await removeFromDataset(pool, rows, await this.#findScope(), which);
  }

  override async similaritySearchVectorWithScore(
    query: number[] | Float32Array,
    k: number,
    filter?: StoreFilter,
  ): Promise<[Document, number][]> {
    const hits = await this.#search(await this.#findScope(), query, k, filter);
    return hits.map(toScored);
  }

  override async similaritySearchVectorWithScores(
    query: number[] | Float32Array,
    k: number,
    filter?: StoreFilter,
  ): Promise<[Document, { distance: number; similarity: number }][]> {
    const found = await this.similaritySearchVectorWithScore(query, k, filter);
    return found.map(([document, score]) => [document, { distance: -score, similarity: score }]);
  }

  override async maxMarginalRelevanceSearch(
    query: string,
    { k = 4, fetchK = 20, lambda = 0.5, filter }: MaxMarginalRelevanceSearchOptions<StoreFilter>,
  ): Promise<Document[]> {
    const question = await this.embeddings.embedQuery(query);
    const scope = await this.#findScope();
    const hits = await this.#search(scope, question, fetchK, filter);
    const { pool, rows } = this.#parts;
    const keys = hits.map(({ key }) => key);
    const vectors = await rows.vectors(pool, scope, keys);
    const found = hits.flatMap((hit) => {
      const vector = vectors.get(hit.key);
      return vector ? [{ hit, vector: Array.from(vector) }] : [];
    });
    const candidates = found.map(({ vector }) => vector);
    const chosen = maximalMarginalRelevance(question, candidates, lambda, k);
    return chosen.map((at) => toScored((found[at] as (typeof found)[number]).hit)[0]);
  }

  /** @throws Error always: searches are exact and need no such index */
  override async createHnswIndex(): Promise<void> {
    throw new Error('Datasets are searched exactly, without an HNSW index.');
  }

  #search(
    scope: DatasetScope,
    query: number[] | Float32Array,
    limit: number,
    filter: StoreFilter | undefined,
  ): Promise<Hit[]> {
    const vector = toUnitVector(query);
    const chunkFilter = { values: readFilter(filter), conditions: this.#conditions };
    return this.#parts.nearest({ ...scope, vector, filter: chunkFilter, limit });
  }
}

interface LoaderRun {
  loaderKey: bigint;
  /** Of the documents, in the text. */
  positions: number[];
}
