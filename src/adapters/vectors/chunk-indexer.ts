import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { withConnection } from '../postgres/with-connection.ts';
import type { DatasetScope } from './dataset-filter.ts';
import {
  INDEX_COLUMNS,
  INDEX_TYPES,
  type Indexable,
  type IndexParts,
  toIndexParameters,
} from './index-rows.ts';

/** The key of an advisory lock: only one gateway indexes at a time. */
const INDEXING_LOCK = 72_707_370;

/** How many datasets to check per statement. */
const DATASETS = 100;
/** How many keys to list per statement. */
const LISTED = 100_000;
/** How many chunks to index per transaction, which takes about 10 ms. */
const BATCH = 128;
/** Milliseconds before a gateway tries again while another one is indexing. */
const BUSY_MS = 1_000;

/** An SQL condition for rows of `chunk`. */
const IS_MISSING = `NOT EXISTS (
  SELECT FROM chunk_index WHERE chunk_index.customer_key = chunk.customer_key
    AND chunk_index.dataset_key = chunk.dataset_key
    AND chunk_index.loader_key = chunk.loader_key AND chunk_index.key = chunk.key)`;

/**
 * Adds missing rows of `chunk_index`, for chunks that an earlier version of the gateway added. It
 * continues where it, or another gateway, stopped. Until then, these datasets are searched by
 * comparing all true vectors.
 */
export function createChunkIndexer(pool: Pool, parts: IndexParts) {
  const { encoding } = parts;

  /** @returns the number of rows added */
  return async function indexMissing(signal: AbortSignal): Promise<number> {
    let added = 0;
    let last: DatasetScope = { customerKey: 0, datasetKey: 0 };
    for (;;) {
      const datasets = await datasetsAfter(last);
      for (const { incomplete, ...dataset } of datasets) {
        if (incomplete) added += await indexDataset(dataset, signal);
        signal.throwIfAborted();
        last = dataset;
      }
      if (datasets.length < DATASETS) return added;
    }
  };

  /** The next datasets, including shadow indexes for another model. */
  async function datasetsAfter({ customerKey, datasetKey }: DatasetScope) {
    const { rows } = await pool.query<DatasetScope & { incomplete: boolean }>(
      `SELECT customer_key AS "customerKey", dataset_key AS "datasetKey",
        (SELECT count(*) FROM chunk WHERE chunk.customer_key = dataset.customer_key
          AND chunk.dataset_key = dataset.dataset_key)
        <> (SELECT count(*) FROM chunk_index WHERE chunk_index.customer_key = dataset.customer_key
          AND chunk_index.dataset_key = dataset.dataset_key) AS incomplete
      FROM (
        SELECT customer_key, unnest(array_remove(ARRAY[key, second_key], NULL)) AS dataset_key
        FROM dataset
      ) AS dataset
      WHERE (customer_key, dataset_key) > ($1, $2) ORDER BY customer_key, dataset_key LIMIT $3`,
      [customerKey, datasetKey, DATASETS],
    );
    return rows;
  }

  async function indexDataset(dataset: DatasetScope, signal: AbortSignal): Promise<number> {
    let added = 0;
    for (;;) {
      const keys = await missingOf(dataset);
      if (keys.length === 0) return added;
      for (let from = 0; from < keys.length; from += BATCH) {
        const start = performance.now();
        const count = await indexBatch(dataset, keys.slice(from, from + BATCH));
        added += count ?? 0;
        // Pausing leaves half of the time to requests.
        const pause = count === undefined ? BUSY_MS : performance.now() - start;
        await setTimeout(pause, undefined, { signal });
        if (count === undefined) break;
      }
    }
  }

  async function missingOf({ customerKey, datasetKey }: DatasetScope): Promise<string[]> {
    const { rows } = await pool.query<{ key: string }>(
      `SELECT key FROM chunk WHERE customer_key = $1 AND dataset_key = $2 AND ${IS_MISSING}
      LIMIT ${LISTED}`,
      [customerKey, datasetKey],
    );
    return rows.map(({ key }) => key);
  }

  /** @returns the number of rows added; nothing if another gateway is indexing */
  function indexBatch(
    { customerKey, datasetKey }: DatasetScope,
    keys: string[],
  ): Promise<number | undefined> {
    return withConnection(pool, async (client) => {
      await client.query('BEGIN');
      const lock = `SELECT pg_try_advisory_xact_lock(${INDEXING_LOCK}) AS taken`;
      const { taken } = (await client.query<{ taken: boolean }>(lock)).rows[0] ?? {};
      let added: number | undefined;
      if (taken) {
        const { rows } = await client.query<StoredChunk>(
          `SELECT key, content, metadata, tokens AS "filterHashes", ${encoding.type}_send(embedding) AS embedding
          FROM chunk
          WHERE customer_key = $1 AND key = ANY ($2::bigint[]) AND ${IS_MISSING}`,
          [customerKey, keys],
        );
        // This waits for chunks that are being removed, and then leaves them out. Updating the
        // dataset's row changes its version, so that cached content is known to be outdated.
        const inserted = await client.query<{ count: number }>(
          `WITH indexed AS (
            INSERT INTO chunk_index (customer_key, dataset_key, loader_key, key, ${INDEX_COLUMNS})
            SELECT customer_key, dataset_key, loader_key, chunk.key,
              ${INDEX_COLUMNS.replaceAll(/\w+/g, 'new.$&')}
            FROM unnest($3::bigint[], ${INDEX_TYPES.map((type, at) => `$${4 + at}::${type}`)})
              AS new(key, ${INDEX_COLUMNS})
            JOIN chunk ON chunk.customer_key = $1 AND chunk.dataset_key = $2 AND chunk.key = new.key
            FOR SHARE OF chunk
            ON CONFLICT DO NOTHING
            RETURNING 1
          ), changed AS (
            UPDATE dataset SET chunk_count = chunk_count WHERE customer_key = $1 AND key = $2
          )
          SELECT count(*)::int AS count FROM indexed`,
          [
            customerKey,
            datasetKey,
            rows.map(({ key }) => key),
            ...toIndexParameters(rows.map(toIndexable), parts),
          ],
        );
        added = inserted.rows[0]?.count ?? 0;
      }
      await client.query('COMMIT');
      return added;
    });
  }

  function toIndexable({ embedding, filterHashes, ...chunk }: StoredChunk): Indexable {
    return {
      ...chunk,
      vector: encoding.read(embedding),
      filterHashes: (filterHashes ?? []).map(BigInt),
    };
  }
}

/** The data for an index row, as the database returns it. */
interface StoredChunk extends Pick<Indexable, 'content' | 'metadata'> {
  key: string;
  embedding: Buffer;
  filterHashes: string[] | null;
}
