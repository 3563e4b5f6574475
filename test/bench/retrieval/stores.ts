import { PGVectorStore } from '@langchain/community/vectorstores/pgvector';
import { Document } from '@langchain/core/documents';
import type { Pool } from 'pg';
import { type Database, openDatabase } from '../../../src/adapters/postgres/database.ts';
import { createSearchMemory } from '../../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../../src/adapters/vectors/pgvector-index.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Filter, FilterValue } from '../../../src/core/filter.ts';
import { createCitusPlace } from '../report/citus-place.ts';
import type { CorpusFile } from './corpus.ts';

/** What is compared. */
export interface Store {
  name: string;
  tables: string[];
  add(file: CorpusFile): Promise<void>;
  /** Resolves when it has nothing left to do in the background. */
  waitForReads?(): Promise<void>;
  /** The chunks found, nearest first, each named by its file and position. */
  search(question: StoreQuestion): Promise<string[]>;
  close(): void;
}

export interface StoreQuestion {
  dataset: number;
  chunkCount: number;
  vector: Float32Array;
  filters: Filter[];
  limit: number;
}

/** What names a chunk: the first word of its text does. */
export const nameOf = (content: string) => content.slice(0, content.indexOf(' '));

/**
 * Our own, with its tables made by the migrations.
 *
 * @param bytes of memory for codes
 */
export async function createOurs(database: Database, bytes: number): Promise<Store> {
  await database.pool.query(`INSERT INTO customer (key, id, name) VALUES (1, 'bench', 'bench')`);
  const known = new Set<number>();
  const store = await createStore(database, bytes);
  return {
    ...store,
    async add(file) {
      const key = file.dataset + 1;
      if (!known.has(key)) {
        await database.pool.query(
          `INSERT INTO dataset (customer_key, id, key, embedding_model) VALUES (1, $1, $2, 'none')`,
          [`dataset-${key}`, key],
        );
      }
      known.add(key);
      await store.add(file);
    },
  };
}

/** The same on the same table, which the other one filled, with no memory for codes. */
export async function createForgetful(database: Database): Promise<Store> {
  return { ...(await createStore(database, 0)), name: 'without memory', add: async () => {} };
}

/** The same on the Citus cluster of CITUS_DATABASE_URL. */
export async function createDistributed(bytes: number): Promise<Store> {
  const { settings, remove } = await createCitusPlace();
  const { database: options } = readConfig(settings);
  if (options.kind !== 'server') throw new Error('CITUS_DATABASE_URL leads to a server');
  const database = await openDatabase(options);
  return {
    ...(await createOurs(database, bytes)),
    name: 'filequery on Citus',
    // Only the server that has them knows their size.
    tables: [],
    close() {
      void database.close().then(remove);
    },
  };
}

async function createStore(
  { pool, query, isDistributed }: Database,
  bytes: number,
): Promise<Store> {
  const cache = createSearchMemory(pool, { bytes });
  const index = await createPgvectorIndex({
    ...{ pool, query, cache, isDistributed },
    embeddings: NO_EMBEDDINGS,
  });
  return {
    name: 'filequery',
    tables: ['chunk', 'chunk_index'],
    waitForReads: cache.waitForReads,
    async add({ dataset, loaderKey, chunks, vectors }) {
      const scope = { customerKey: 1, datasetKey: dataset + 1, loaderKey };
      await index.add(scope, chunks, vectors);
    },
    async search({ dataset, ...question }) {
      const hits = await index.search({ ...question, customerKey: 1, datasetKey: dataset + 1 });
      return hits.map(({ pageContent }) => nameOf(pageContent));
    },
    close: () => {},
  };
}

/** LangChain's as its documentation shows it: the dataset is one more filter. */
export async function createStock(pool: Pool): Promise<Store> {
  const store = await PGVectorStore.initialize(
    {
      embedDocuments: NO_EMBEDDINGS.embedTexts,
      embedQuery: NO_EMBEDDINGS.embedQuestion,
    } as never,
    { pool, tableName: 'stock', distanceStrategy: 'cosine', dimensions: 1536 },
  );
  return {
    name: 'LangChain PGVectorStore',
    tables: ['stock'],
    async add({ chunks, vectors }) {
      const documents = chunks.map(
        ({ content, metadata }) => new Document({ pageContent: content, metadata }),
      );
      await store.addVectors(
        vectors.map((vector) => Array.from(vector)),
        documents,
      );
    },
    async search({ dataset, filters, vector, limit }) {
      const hits = await store.similaritySearchVectorWithScore(Array.from(vector), limit, {
        datasetId: `dataset-${dataset}`,
        ...Object.fromEntries(filters.map(toEquality)),
      });
      return hits.map(([{ pageContent }]) => nameOf(pageContent));
    },
    // It keeps a connection for itself.
    close: () => store.client?.release(),
  };
}

/** It has filters for equality, among others that ours has not. */
function toEquality(filter: Filter): [key: string, value: FilterValue] {
  if (!('match' in filter && 'value' in filter.match)) throw new Error('It has no such filter');
  return [filter.key, filter.match.value];
}

/** Vectors are given, never made. */
export const NO_EMBEDDINGS = {
  name: 'none',
  embedQuestion: () => Promise.reject(new Error('no question is embedded here')),
  embedTexts: () => Promise.reject(new Error('no text is embedded here')),
  check: async () => {},
};
