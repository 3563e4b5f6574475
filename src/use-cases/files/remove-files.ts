import { Prisma } from '../../generated/prisma/client.ts';
import { secondsFromNow } from '../../sql/seconds-from-now.ts';
import type { Dependencies } from '../dependencies.ts';

type Deps = Pick<Dependencies, 'query' | 'storage' | 'index' | 'log'>;

/** An intent to publish or remove a file, whose chunks, stored copy and record may exist. */
export interface FileIntent {
  loaderKey: bigint;
  path: string;
}

/** The same as a row of the database. */
export interface FileIntentRow {
  loaderKey: string;
  path: string;
}

export function toFileIntent({ loaderKey, path }: FileIntentRow): FileIntent {
  return { loaderKey: BigInt(loaderKey), path };
}

/** How long intents belong to the process that works on them; the sweeper takes over after that. */
export const REMOVAL_LEASE = Prisma.sql`interval '10 minutes'`;

/** When the removal of a file is retried: after 2, 4, 8 ... minutes, then daily. */
const NEXT_ATTEMPT = secondsFromNow(Prisma.sql`60 * least(2 ^ least(attempts, 11), 1440)`);

/**
 * Removes files that have an intent: embeddings, then stored copies, then records with the intents. A
 * step that fails is logged, and the next one runs. An intent stays while a part of its file is left or
 * may still arrive in the storage: the file remains hidden, and the sweeper retries.
 */
export function createRemoveFiles({ query, storage, index, log }: Deps) {
  /** @returns how many files were removed completely */
  return async function removeFiles(
    customerKey: number,
    files: FileIntent[],
    details: object,
  ): Promise<number> {
    const all = new Set(files);
    const loaderKeys = keysOf(files);
    const withChunks = await attempt('embeddings', all, details, async () => {
      await index.remove(customerKey, loaderKeys);
      return new Set();
    });
    const withCopy = await attempt('stored copies', all, details, async () => {
      const left = new Set(await storage.remove(files.map(({ path }) => path)));
      const failed = files.filter(({ path }) => left.has(path));
      // Not the paths: they contain the names of the files.
      if (failed.length > 0) {
        logFailure('stored copies', { ...details, loaderKeys: keysOf(failed).map(String) });
      }
      return new Set(failed);
    });
    const left = withChunks.union(withCopy);
    const withRecord = await attempt('records', all, details, async () => {
      await removeRecords(customerKey, loaderKeys, keysOf(left));
      return left;
    });
    return files.length - withRecord.size;
  };

  /** @param leftKeys files with other parts left: their intents stay */
  async function removeRecords(customerKey: number, loaderKeys: bigint[], leftKeys: bigint[]) {
    // Records before intents, the order in which statements that hide files lock them: two orders could
    // deadlock. `count(*) >= 0` enforces this order, as in `refundStatement`.
    await query(Prisma.sql`
      WITH records AS (
        DELETE FROM file
        WHERE customer_key = ${customerKey} AND loader_key = ANY (${loaderKeys}::bigint[])
        RETURNING 1
      ), intents AS (
        DELETE FROM pending_file
        WHERE customer_key = ${customerKey} AND loader_key = ANY (${loaderKeys}::bigint[])
          AND loader_key <> ALL (${leftKeys}::bigint[]) AND (keep_until IS NULL OR keep_until <= now())
          AND (SELECT count(*) FROM records) >= 0
      ), kept AS (
        UPDATE pending_file SET due = keep_until
        WHERE customer_key = ${customerKey} AND loader_key = ANY (${loaderKeys}::bigint[])
          AND loader_key <> ALL (${leftKeys}::bigint[]) AND keep_until > now()
      )
      UPDATE pending_file SET due = ${NEXT_ATTEMPT}
      WHERE customer_key = ${customerKey} AND loader_key = ANY (${leftKeys}::bigint[])`);
  }

  /** @returns the files that the step did not remove completely: all of them when it threw */
  async function attempt(
    what: string,
    all: Set<FileIntent>,
    details: object,
    step: () => Promise<Set<FileIntent>>,
  ): Promise<Set<FileIntent>> {
    try {
      return await step();
    } catch (error) {
      logFailure(what, { ...details, err: error });
      return all;
    }
  }

  function logFailure(what: string, details: object): void {
    log.error(details, `removing ${what} failed`);
  }
}

function keysOf(files: Iterable<FileIntent>): bigint[] {
  return Array.from(files, ({ loaderKey }) => loaderKey);
}
