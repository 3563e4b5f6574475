import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import { readPages } from '../keyset.ts';
import {
  type FileIntent,
  type FileIntentRow,
  REMOVAL_LEASE,
  toFileIntent,
} from './remove-files.ts';

const { empty, sql } = Prisma;

/** All files of a customer, those in a dataset, or one. */
export interface DeletionScope {
  customerKey: number;
  datasetId?: string;
  fileId?: string;
  /** A further condition on a row of `file`, which begins with AND. */
  which?: Prisma.Sql;
}

/** Files that are read, and then removed, per batch. */
const BATCH = 1000;

/**
 * Records intents to delete the files that exist now, in one statement. From then on no list and no
 * search shows the files, and the sweeper removes what the request does not.
 *
 * @returns how many; files that are already being deleted are not counted
 */
export async function recordDeleteIntents(
  { query, storage }: Pick<Dependencies, 'query' | 'storage'>,
  scope: DeletionScope,
): Promise<number> {
  const [row] = await query<{ count: number }>(sql`
    WITH hidden AS (${hidingStatement({ storage }, matchesScope(scope))})
    SELECT count(*)::int AS count FROM hidden`);
  return row?.count ?? 0;
}

/**
 * The statement that records intents to delete files, and returns those of the files that were not
 * being deleted already.
 *
 * @param which a condition on rows of `file`
 */
export function hidingStatement(
  { storage }: Pick<Dependencies, 'storage'>,
  which: Prisma.Sql,
): Prisma.Sql {
  // The lock skips records that are being deleted concurrently; the fixed order prevents deadlocks.
  return sql`
    INSERT INTO pending_file (customer_key, loader_key, path, due, attempts, keep_until)
    SELECT customer_key, loader_key, path, now() + ${REMOVAL_LEASE}, 1,
      created + nullif(${storage.lateMs}::int, 0) * interval '1 millisecond'
    FROM file WHERE ${which} ORDER BY loader_key FOR KEY SHARE
    ON CONFLICT DO NOTHING RETURNING loader_key::text AS "loaderKey", path`;
}

/** The intents of these files, in batches. */
export async function* readDeleteIntents(
  { query }: Pick<Dependencies, 'query'>,
  scope: DeletionScope,
): AsyncGenerator<FileIntent[]> {
  const pages = readPages(BATCH, (last: FileIntentRow | undefined) =>
    query<FileIntentRow>(sql`
      SELECT loader_key AS "loaderKey", path FROM pending_file
      WHERE customer_key = ${scope.customerKey} ${last ? sql`AND loader_key > ${last.loaderKey}::bigint` : empty}
        AND EXISTS (SELECT FROM file WHERE file.loader_key = pending_file.loader_key AND ${matchesScope(scope)})
      ORDER BY loader_key LIMIT ${BATCH}`),
  );
  for await (const rows of pages) yield rows.map(toFileIntent);
}

function matchesScope({
  customerKey,
  datasetId,
  fileId,
  which = empty,
}: DeletionScope): Prisma.Sql {
  return sql`file.customer_key = ${customerKey}
    ${datasetId === undefined ? empty : sql`AND file.dataset_id = ${datasetId}`}
    ${fileId === undefined ? empty : sql`AND file.id = ${fileId}::uuid`}
    ${which}`;
}
