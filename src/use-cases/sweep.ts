import type { PendingFile } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Dependencies } from './dependencies.ts';

type Deps = Pick<Dependencies, 'prisma' | 'storage' | 'index' | 'log'>;

/** Files that are claimed, and so removed, together. */
const BATCH = 100;
const MINUTE_MS = 60_000;
/** How long a claim lasts: a sweeper that died gives its files back after this. */
const CLAIM_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What a sweep did. */
export interface Swept {
  /** Files whose chunks and stored copies are gone now. */
  removed: number;
  /** Files that will be tried again later. */
  failed: number;
}

/**
 * Removes what pending files left: the chunks and stored copies of uploads that ended half-way and
 * of deletions that failed. Several sweepers may run at once; a claim belongs to one.
 *
 * @param which only these, whenever they are due; all that are due unless given
 */
export function createSweep({ prisma, storage, index, log }: Deps) {
  return async function sweep(which?: {
    customerKey: number;
    loaderKeys: bigint[];
  }): Promise<Swept> {
    const swept: Swept = { removed: 0, failed: 0 };
    for (;;) {
      const claimed = await claim(which);
      for (const [customerKey, files] of Map.groupBy(claimed, (file) => file.customerKey)) {
        const removed = await remove(customerKey, files);
        swept.removed += removed;
        swept.failed += files.length - removed;
      }
      if (which || claimed.length < BATCH) return swept;
    }
  };

  /** From its first attempt on, a file can no longer be published: see `publish` of an upload. */
  function claim(which?: { customerKey: number; loaderKeys: bigint[] }): Promise<PendingFile[]> {
    const due = which
      ? Prisma.sql`customer_key = ${which.customerKey} AND loader_key = ANY(${which.loaderKeys}::bigint[])`
      : Prisma.sql`due <= ${new Date()} ORDER BY due LIMIT ${BATCH}`;
    return prisma.$queryRaw<PendingFile[]>(Prisma.sql`
      UPDATE pending_file SET attempts = attempts + 1, due = ${new Date(Date.now() + CLAIM_MS)}
      WHERE (customer_key, loader_key) IN (
        SELECT customer_key, loader_key FROM pending_file WHERE ${due} FOR UPDATE SKIP LOCKED
      )
      RETURNING customer_key AS "customerKey", loader_key AS "loaderKey", path, due, attempts`);
  }

  async function remove(customerKey: number, files: PendingFile[]): Promise<number> {
    try {
      await index.remove(
        customerKey,
        files.map(({ loaderKey }) => loaderKey),
      );
      const left = new Set(await storage.remove(files.map(({ path }) => path)));
      const done = files.filter(({ path }) => !left.has(path));
      await prisma.pendingFile.deleteMany({
        where: { customerKey, loaderKey: { in: done.map(({ loaderKey }) => loaderKey) } },
      });
      await postpone(files.filter(({ path }) => left.has(path)));
      return done.length;
    } catch (error) {
      log.error({ err: error, customerKey, files: files.length }, 'sweeping failed');
      await postpone(files).catch(() => {});
      return 0;
    }
  }

  async function postpone(files: PendingFile[]): Promise<void> {
    for (const { customerKey, loaderKey, attempts } of files) {
      const wait = Math.min(2 ** attempts * MINUTE_MS, DAY_MS);
      await prisma.pendingFile.updateMany({
        where: { customerKey, loaderKey },
        data: { due: new Date(Date.now() + wait) },
      });
    }
  }
}

export type Sweep = ReturnType<typeof createSweep>;
