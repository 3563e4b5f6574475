import { basename } from 'node:path/posix';
import { folderOf } from '../../core/object-path.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { ListedObject } from '../../ports/object-storage.ts';
import { isListed } from '../../sql/is-listed.ts';
import type { Dependencies } from '../dependencies.ts';
import { readPages } from '../keyset.ts';
import type { Customer, Drift } from './drift.ts';

type Deps = Pick<Dependencies, 'query' | 'storage'>;

const { sql } = Prisma;

const BATCH = 1000;

/**
 * Finds differences between the records and the stored copies of a customer. The storage is listed
 * first, and each difference is then checked a second time, so that concurrent uploads and
 * deletions are not reported.
 *
 * @param youngMinutes files and copies younger than this are skipped
 */
export async function* verifyCopies(
  deps: Deps,
  customer: Customer,
  youngMinutes: number,
): AsyncGenerator<Drift> {
  const oldest = new Date(Date.now() - youngMinutes * 60_000);
  for await (const datasetId of datasetsOf(deps, customer)) {
    const sizes = new Map<string, number | null>();
    const folder = folderOf({ customerId: customer.id, datasetId });
    for await (const page of deps.storage.list(folder)) {
      for (const { path, size } of page) sizes.set(basename(path), size);
      const old = page.filter(({ modified }) => modified < oldest);
      yield* copiesWithoutFile(deps, customer, datasetId, old);
    }
    yield* filesWithoutTheirCopy(deps, customer, { datasetId, sizes, oldest });
  }
}

async function* datasetsOf({ query }: Deps, { key }: Customer): AsyncGenerator<string> {
  const pages = readPages(BATCH, (last: { id: string } | undefined) =>
    query<{ id: string }>(sql`
      SELECT id FROM dataset WHERE customer_key = ${key} AND id > ${last?.id ?? ''}
      ORDER BY id LIMIT ${BATCH}`),
  );
  for await (const page of pages) for (const { id } of page) yield id;
}

async function* copiesWithoutFile(
  { query, storage }: Deps,
  { key }: Customer,
  datasetId: string,
  page: ListedObject[],
): AsyncGenerator<Drift> {
  const paths = page.map(({ path }) => path);
  if (paths.length === 0) return;
  const strays = await query<{ path: string }>(sql`
    SELECT path FROM unnest(${paths}::text[]) AS stored(path)
    WHERE NOT EXISTS (SELECT FROM file WHERE customer_key = ${key}
        AND id::text = left(split_part(stored.path, '/', 5), 36) AND file.path = stored.path)
      AND NOT EXISTS (SELECT FROM pending_file
        WHERE customer_key = ${key} AND stored.path IN (pending_file.path, pending_file.path || '.part'))`);
  for (const { path } of strays) {
    // The copy and then its record may have been removed since the storage was listed.
    if (!(await isStored(storage, path))) continue;
    const repair = async () => {
      const [left] = await storage.remove([path]);
      if (left) throw new Error('the storage did not remove it');
    };
    yield { kind: 'stored copy without a file', datasetId, what: path, repair };
  }
}

interface FileCopy {
  fileId: string;
  path: string;
  /** In bytes. */
  size: number | null;
}

/** Also files with a copy of another size, such as one that was not restored completely. */
async function* filesWithoutTheirCopy(
  { query, storage }: Deps,
  { key }: Customer,
  {
    datasetId,
    sizes,
    oldest,
  }: { datasetId: string; sizes: Map<string, number | null>; oldest: Date },
): AsyncGenerator<Drift> {
  const pages = readPages(BATCH, (last: FileCopy | undefined) =>
    query<FileCopy>(sql`
      SELECT id::text AS "fileId", path, size::float8 AS size FROM file
      WHERE customer_key = ${key} AND dataset_id = ${datasetId}
        ${last ? sql`AND id > ${last.fileId}::uuid` : Prisma.empty}
        AND created < ${oldest} AND ${isListed(key)}
      ORDER BY file.id LIMIT ${BATCH}`),
  );
  for await (const files of pages) {
    for (const { fileId, path, size } of files) {
      const stored = sizes.get(basename(path));
      if (stored === undefined) {
        if (await isStored(storage, path)) continue;
        yield { kind: 'file without a stored copy', datasetId, what: fileId };
      } else if (stored !== null && size !== null && stored !== size) {
        yield { kind: 'file with a stored copy of another size', datasetId, what: fileId };
      }
    }
  }
}

async function isStored(storage: Deps['storage'], path: string): Promise<boolean> {
  try {
    (await storage.get(path)).destroy();
    return true;
  } catch {
    return false;
  }
}
