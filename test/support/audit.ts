import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { ask, embeddedIn } from './databases.ts';
import { filesBelow } from './storages.ts';

/** What must be true of a data folder at rest, and the SQL that finds what is not. */
const RULES = {
  'a dataset counts its chunks': `
    SELECT id, chunk_count, chunks
    FROM dataset LEFT JOIN (
      SELECT customer_key, dataset_key AS key, count(*) AS chunks FROM chunk
      GROUP BY customer_key, dataset_key
    ) AS counted USING (customer_key, key)
    WHERE chunk_count <> coalesce(chunks, 0)`,
  'a chunk has a file': `
    SELECT DISTINCT customer_key, loader_key FROM chunk
    WHERE NOT EXISTS (SELECT FROM file
      WHERE file.customer_key = chunk.customer_key AND file.loader_key = chunk.loader_key)`,
  'a file has chunks': `
    SELECT id FROM file
    WHERE NOT EXISTS (SELECT FROM chunk
      WHERE file.customer_key = chunk.customer_key AND file.loader_key = chunk.loader_key)`,
  'a balance is the sum of its ledger': `
    SELECT customer_key, credits, booked
    FROM balance LEFT JOIN (
      SELECT customer_key, sum(amount) AS booked FROM credit_entry GROUP BY customer_key
    ) AS ledger USING (customer_key)
    WHERE credits <> coalesce(booked, 0)`,
  'nothing is pending': 'SELECT loader_key FROM pending_file',
};

/** A gateway at rest: where its files are, and how to ask its database. */
interface Audited {
  dataDir: string;
  /** Unless given, that of the embedded database in the folder. */
  connection?: PoolConfig;
  /** Of its stored copies; those in the folder unless given. */
  storedPaths?: () => Promise<string[]>;
}

/** What is wrong with the data of a running gateway that is at rest; empty when nothing is. */
export async function audit({
  dataDir,
  connection = embeddedIn(dataDir),
  storedPaths = () => filesBelow(join(dataDir, 'objects')),
}: Audited): Promise<Record<string, unknown[]>> {
  const wrong: Record<string, unknown[]> = {};
  for (const [rule, sql] of Object.entries(RULES)) wrong[rule] = await ask(connection, sql);
  const files = await ask<{ path: string }>(connection, 'SELECT path FROM file');
  const paths = new Set(files.map(({ path }) => path));
  const objects = new Set(await storedPaths());
  wrong['an object has a file'] = [...objects.difference(paths)];
  wrong['a file has an object'] = [...paths.difference(objects)];
  wrong['nothing waits on the disk'] = await filesBelow(join(dataDir, 'incoming'));
  return Object.fromEntries(Object.entries(wrong).filter(([, found]) => found.length > 0));
}
