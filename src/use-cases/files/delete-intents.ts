import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import { type FileIntent, type FileIntentRow, LEASE, toFileIntent } from './remove-files.ts';

const { empty, sql } = Prisma;

/** Whose files: all of a customer's, those of a dataset, or one. */
export interface FileSelection {
  customerKey: number;
  datasetId?: string;
  fileId?: string;
}

/** Files a batch: few statements and storage calls for many files. */
const BATCH = 1000;

/** Of a row of `file`: that it is not being deleted. A filter on a hashed list, whatever the plan. */
export function isListed(customerKey: number): Prisma.Sql {
  return sql`loader_key NOT IN (
    SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey})`;
}

/**
 * Writes the intents to delete the files that there are now, in one statement. From then on nobody
 * is shown them, and the sweeper removes what is not removed before.
 *
 * @returns how many; those that somebody else is deleting already are not counted
 */
export async function recordDeleteIntents(
  { query, storage }: Pick<Dependencies, 'query' | 'storage'>,
  which: FileSelection,
): Promise<number> {
  // The lock passes by files whose record goes at this moment; in one order, nobody waits in a circle.
  const [row] = await query<{ count: number }>(sql`
    WITH hidden AS (
      INSERT INTO pending_file (customer_key, loader_key, path, due, attempts, keep_until)
      SELECT customer_key, loader_key, path, now() + ${LEASE}, 1,
        created + nullif(${storage.lateMs}::int, 0) * interval '1 millisecond'
      FROM file WHERE ${these(which)} ORDER BY loader_key FOR KEY SHARE
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT count(*)::int AS count FROM hidden`);
  return row?.count ?? 0;
}

/** The hidden ones of these files, in batches. */
export async function* readDeleteIntents(
  { query }: Pick<Dependencies, 'query'>,
  which: FileSelection,
): AsyncGenerator<FileIntent[]> {
  let last: bigint | undefined;
  do {
    const rows = await query<FileIntentRow>(sql`
      SELECT loader_key AS "loaderKey", path FROM pending_file
      WHERE customer_key = ${which.customerKey} ${last === undefined ? empty : sql`AND loader_key > ${last}`}
        AND EXISTS (SELECT FROM file WHERE file.loader_key = pending_file.loader_key AND ${these(which)})
      ORDER BY loader_key LIMIT ${BATCH}`);
    const files = rows.map(toFileIntent);
    if (files.length > 0) yield files;
    last = files.length === BATCH ? files.at(-1)?.loaderKey : undefined;
  } while (last !== undefined);
}

function these({ customerKey, datasetId, fileId }: FileSelection): Prisma.Sql {
  return sql`file.customer_key = ${customerKey}
    ${datasetId === undefined ? empty : sql`AND file.dataset_id = ${datasetId}`}
    ${fileId === undefined ? empty : sql`AND file.id = ${fileId}::uuid`}`;
}
