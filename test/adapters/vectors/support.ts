import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createLexicalEmbeddings } from '../../../src/adapters/models/offline/lexical-embeddings.ts';
import { openDatabase } from '../../../src/adapters/postgres/database.ts';
import type { DatasetCacheOptions } from '../../../src/adapters/vectors/memory/dataset-cache.ts';
import { createSearchMemory } from '../../../src/adapters/vectors/memory/search-memory.ts';
import type { Thresholds } from '../../../src/adapters/vectors/nearest.ts';
import { createPgvectorIndex } from '../../../src/adapters/vectors/pgvector-index.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { JsonObject, SearchHit } from '../../../src/core/model.ts';
import type { VectorQuery } from '../../../src/ports/chunk-index.ts';
import { SERVER_URL, type TestDatabase } from '../../support/databases.ts';
import { matchesFilters } from '../../support/matches-filters.ts';
import { reuseDatabase } from '../../support/reused-databases.ts';

/** A chunk as a test keeps it. */
export interface Known {
  customerKey: number;
  datasetKey: number;
  loaderKey: bigint;
  content: string;
  metadata: JsonObject;
  vector: Float32Array;
}

/** For datasets of some hundred chunks. */
export const SMALL_THRESHOLDS: Thresholds = {
  exactChunks: { cached: 100, uncached: 200 },
  exactMatches: { least: 800, share: 0.02 },
  candidates: { cached: 50, uncached: 200 },
  maxReranked: 800,
};

/** An index that keeps no codes in memory. */
const FORGETFUL: DatasetCacheOptions = { bytes: 0 };

/**
 * The index on a database, and what a search of it should find by comparing every vector.
 *
 * @param existing a database of its own unless given
 */
export async function openIndex(
  thresholds?: Thresholds,
  memory = FORGETFUL,
  existing?: TestDatabase,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  const made = existing ?? (await reuseDatabase());
  const config = readConfig({ DATA_DIR: dataDir, ...made.settings }).database;
  const database = await openDatabase(
    config.kind === 'embedded' ? { ...config, share: false } : config,
  );
  const { pool, query, isDistributed } = database;
  const statements = listStatements(pool);
  const cache = createSearchMemory(pool, memory);
  const index = await createPgvectorIndex({
    pool,
    query,
    cache,
    embeddings: createLexicalEmbeddings(),
    isDistributed,
    ...(thresholds && { thresholds }),
  });
  const known: Known[] = [];

  return {
    pool,
    query,
    isDistributed,
    index,
    cache,
    known,
    /** What the pool was asked, one statement after the other. */
    statements,

    /** Adds chunks that belong together, in their order. */
    async add(chunks: Known[]) {
      const [first] = chunks;
      if (!first) return;
      known.push(...chunks);
      const { customerKey, datasetKey, loaderKey } = first;
      await pool.query(
        `WITH made AS (
          INSERT INTO customer (key, id, name) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING)
        INSERT INTO dataset (customer_key, id, key, embedding_model) VALUES ($1, $4, $3, 'none')
        ON CONFLICT DO NOTHING`,
        [customerKey, `customer-${customerKey}`, datasetKey, `dataset-${datasetKey}`],
      );
      await index.add(
        { customerKey, datasetKey, loaderKey },
        chunks.map(({ content, metadata }, position) => ({ position, content, metadata })),
        chunks.map(({ vector }) => vector),
      );
    },

    async remove(customerKey: number, loaderKey: bigint) {
      await index.remove(customerKey, [loaderKey]);
      const gone = (chunk: Known) =>
        chunk.customerKey === customerKey && chunk.loaderKey === loaderKey;
      known.splice(0, known.length, ...known.filter((chunk) => !gone(chunk)));
    },

    /** What must be found: the nearest first, equally near ones in the order in which they came. */
    expected({ customerKey, datasetKey, vector, filters, limit }: Omit<VectorQuery, 'chunkCount'>) {
      return known
        .filter((chunk) => chunk.customerKey === customerKey && chunk.datasetKey === datasetKey)
        .filter(({ metadata }) => matchesFilters(metadata, filters))
        .map((chunk) => ({
          content: chunk.content,
          score: cosine(stored(chunk.vector), stored(vector)),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
    },

    async close() {
      await database.close();
      await made.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function listStatements(pool: Pool): string[] {
  const statements: string[] = [];
  const query = pool.query.bind(pool);
  pool.query = ((...args: Parameters<typeof query>) => {
    const [statement] = args as unknown as [string | { text: string }];
    statements.push(typeof statement === 'string' ? statement : statement.text);
    return query(...args);
  }) as typeof pool.query;
  return statements;
}

/** What is rounded while a cosine is worked out moves it by less than this. */
export const ROUNDING = 1e-5;

/** A vector as the database has it: servers keep half floats. */
function stored(vector: Float32Array): Float32Array {
  return SERVER_URL ? Float32Array.from(Float16Array.from(vector)) : vector;
}

/** How many of the hits are as near as the nearest must be. */
export function rightOnes(hits: SearchHit[], expected: { score: number }[]): number {
  const least = (expected.at(-1)?.score ?? Number.POSITIVE_INFINITY) - ROUNDING;
  return hits.filter(({ score }) => score >= least).length;
}

/** Of vectors of length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let at = 0; at < a.length; at++) product += (a[at] as number) * (b[at] as number);
  return product;
}
