import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Pool } from 'pg';
import { socketDirectoryOf } from '../../src/adapters/database/embedded-postgres.ts';

/** Asks the database of a running gateway, beside it. */
export async function queryBeside<T>(dataDir: string, sql: string): Promise<T[]> {
  const pool = new Pool({ host: socketDirectoryOf(dataDir), user: 'postgres', max: 1 });
  try {
    return (await pool.query(sql)).rows;
  } finally {
    await pool.end();
  }
}

/** What must be true of a data folder at rest, and the SQL that finds what is not. */
const RULES = {
  'a dataset counts its chunks': `
    SELECT id, chunk_count, (SELECT count(*) FROM chunk WHERE dataset_key = dataset.key) AS chunks
    FROM dataset
    WHERE chunk_count <> (SELECT count(*) FROM chunk WHERE dataset_key = dataset.key)`,
  'a chunk has a file': `
    SELECT DISTINCT customer_key, loader_key FROM chunk
    WHERE (customer_key, loader_key) NOT IN (SELECT customer_key, loader_key FROM file)`,
  'a file has chunks': `
    SELECT id FROM file
    WHERE (customer_key, loader_key) NOT IN (SELECT customer_key, loader_key FROM chunk)`,
  'a balance is the sum of its ledger': `
    SELECT id, credits, (SELECT sum(amount) FROM credit_entry WHERE customer_key = key) AS booked
    FROM customer
    WHERE credits <> coalesce((SELECT sum(amount) FROM credit_entry WHERE customer_key = key), 0)`,
  'nothing is pending': 'SELECT loader_key FROM pending_file',
};

/** What is wrong with the data folder of a running gateway that is at rest; empty when nothing is. */
export async function audit(dataDir: string): Promise<Record<string, unknown[]>> {
  const wrong: Record<string, unknown[]> = {};
  for (const [rule, sql] of Object.entries(RULES)) wrong[rule] = await queryBeside(dataDir, sql);
  const files = await queryBeside<{ path: string }>(dataDir, 'SELECT path FROM file');
  const paths = new Set(files.map(({ path }) => path));
  const objects = new Set(await filesBelow(join(dataDir, 'objects')));
  wrong['an object has a file'] = [...objects.difference(paths)];
  wrong['a file has an object'] = [...paths.difference(objects)];
  wrong['nothing waits on the disk'] = await filesBelow(join(dataDir, 'incoming'));
  return Object.fromEntries(Object.entries(wrong).filter(([, found]) => found.length > 0));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}
