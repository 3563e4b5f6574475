import type { Pool } from 'pg';
import type { FilterValue } from '../../core/filter.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { withConnection } from '../postgres/with-connection.ts';
import type { ChunkRows } from './chunk-rows.ts';
import { type DatasetScope, hasFilter, ofDataset, passing } from './dataset-filter.ts';

const { sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/** The largest key of a chunk. */
const MAX_KEY = 2n ** 63n - 1n;

/** Which chunks: by their keys, or by what their metadata must have, which is not empty. */
type Which = { keys: string[] } | { filter: Record<string, FilterValue> };

/**
 * Removes single chunks of a dataset; the gateway removes all chunks of a file.
 *
 * @throws Error while the dataset is being embedded by another model: copies would come back
 */
export async function removeFromDataset(
  pool: Pool,
  rows: ChunkRows,
  scope: DatasetScope,
  which: Which,
): Promise<void> {
  const { customerKey, datasetKey } = scope;
  const condition = 'keys' in which ? byKeys(scope, which.keys) : byFilter(scope, which.filter);
  await withConnection(pool, async (client) => {
    await client.query('BEGIN');
    // A reindex that begins now waits until this ends.
    const { rows: found } = await client.query<{ isCopied: boolean }>(
      `SELECT second_key IS NOT NULL AS "isCopied" FROM dataset
      WHERE customer_key = $1 AND key = $2 FOR NO KEY UPDATE`,
      [customerKey, datasetKey],
    );
    if (found[0]?.isCopied) {
      throw new Error(
        'The dataset is being embedded by another model: delete when that has ended.',
      );
    }
    await rows.remove(client, customerKey, condition);
    await client.query('COMMIT');
  });
}

function byKeys(scope: DatasetScope, keys: string[]): Sql {
  for (const key of keys) {
    if (!/^\d{1,19}$/.test(key) || BigInt(key) > MAX_KEY) {
      throw new Error(`${JSON.stringify(key)} is not the id of a document that was found.`);
    }
  }
  return sql`key = ANY (${keys}::bigint[]) AND ${ofDataset(scope)}`;
}

function byFilter(scope: DatasetScope, values: Record<string, FilterValue>): Sql {
  const query = { ...scope, filter: { values, conditions: [] } };
  if (!hasFilter(query)) throw new Error('A filter that is empty would delete the whole dataset.');
  return passing(query, {});
}
