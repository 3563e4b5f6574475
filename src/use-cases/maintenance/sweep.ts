import { PERIODS } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Credits } from '../accounts/credits.ts';
import { createIdempotencyKeys } from '../accounts/idempotency-keys.ts';
import { customersDue } from '../customers-due.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  createRemoveFiles,
  type FileIntent,
  type FileIntentRow,
  REMOVAL_LEASE,
  toFileIntent,
} from '../files/remove-files.ts';
import type { Swept } from './maintenance.ts';

type Deps = Pick<Dependencies, 'query' | 'storage' | 'index' | 'log'> & { credits: Credits };

/** Files that are claimed and removed per batch. */
const BATCH = 500;

/**
 * Completes the work of processes that ended: removes the files of abandoned uploads and of unfinished
 * deletions, and refunds abandoned charges. Also removes expired idempotency keys, and the records of
 * expired frontend tokens.
 *
 * Several sweepers may run at once; each row is claimed by one of them. The signal ends a sweep
 * between two batches.
 */
export function createSweep(deps: Deps) {
  const { query, credits, log } = deps;
  const removeFiles = createRemoveFiles(deps);
  const idempotencyKeys = createIdempotencyKeys(deps);

  return async function sweep(signal?: AbortSignal): Promise<Swept> {
    const charges = await credits.refundAbandoned();
    if (charges > 0) log.info({ charges }, 'refunded abandoned charges');
    await forget();
    await idempotencyKeys.removeExpired();
    await forgetTokens();
    const swept: Swept = { removed: 0, failed: 0 };
    for (;;) {
      let claimed = 0;
      for (const customerKey of await customersDue(deps, 'pending_file')) {
        if (signal?.aborted) return swept;
        const files = await claim(customerKey);
        claimed += files.length;
        const removed = await removeFiles(customerKey, files, { customerKey });
        swept.removed += removed;
        swept.failed += files.length - removed;
      }
      // Others may have claimed what is due.
      if (claimed === 0) return swept;
    }
  };

  /** Removes what is kept only for a limited time: dataset changes and ended ingestions. */
  async function forget(): Promise<void> {
    const { datasetChangeHours, ingestionDays } = PERIODS;
    await query(Prisma.sql`
      DELETE FROM dataset_change
      WHERE created < now() - make_interval(hours => ${datasetChangeHours}::int)`);
    await query(Prisma.sql`
      DELETE FROM ingestion WHERE finished < now() - make_interval(days => ${ingestionDays}::int)`);
  }

  /** Deletes the records of tokens that no gateway still accepts, not even one whose clock is slow. */
  async function forgetTokens(): Promise<void> {
    await query(Prisma.sql`DELETE FROM frontend_token WHERE expires < now() - interval '1 hour'`);
  }

  /** A claimed file can no longer be published, see `publish` in `staged-files.ts`. */
  async function claim(customerKey: number): Promise<FileIntent[]> {
    const rows = await query<FileIntentRow>(Prisma.sql`
      UPDATE pending_file SET attempts = attempts + 1, due = now() + ${REMOVAL_LEASE}
      WHERE customer_key = ${customerKey} AND loader_key IN (
        SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey} AND due <= now()
        ORDER BY due LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      )
      RETURNING loader_key AS "loaderKey", path`);
    return rows.map(toFileIntent);
  }
}
