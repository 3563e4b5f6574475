import { randomUUID } from 'node:crypto';
import type { PublicError } from '../../core/errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { openStatement } from '../accounts/charge-statements.ts';
import type { Credits } from '../accounts/credits.ts';
import { customersDue } from '../customers-due.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Replaced } from '../files/duplicates.ts';
import { type FileIntent, toFileIntent } from '../files/remove-files.ts';
import { matchesFiles } from '../files/staged-files.ts';
import type { IngestionDuplicates, IngestionFile } from './ingestion.ts';
import { INGESTION_LEASE_END } from './start-upload.ts';

const { sql } = Prisma;

/** An ingestion that this gateway works on, under a lease. */
export interface LeasedIngestion {
  customerKey: number;
  customerId: string;
  id: string;
  datasetId: string;
  files: IngestionFile[];
  intents: FileIntent[];
  duplicates: IngestionDuplicates | null;
  chunkSize: number;
  chunkOverlap: number;
  charge: string | null;
  /** The id of the frontend token whose budget paid as well. */
  budgetTokenId: string | null;
  requestId: string;
  /** The number of attempts, this one included, without those that a shutdown ended. */
  attempts: number;
  lease: string;
}

const LEASE_END = sql`now() + interval '1 minute'`;

/**
 * Leases of ingestions: one gateway at a time works on one. Every statement compares the lease, so a
 * gateway whose lease was taken over changes nothing. Statements lock intents before ingestions, as the
 * publication does: otherwise a heartbeat could deadlock with it. `count(*) >= 0` enforces this order: it
 * is always true, but PostgreSQL has to run all of the other statement before it locks the ingestion.
 *
 * @param hasWebhook whether ends are to be reported
 */
export function createIngestionLeases(
  { prisma, query, credits }: Pick<Dependencies, 'prisma' | 'query'> & { credits: Credits },
  { hasWebhook }: { hasWebhook: boolean },
) {
  const finished = sql`finished = now(), due = NULL, lease = NULL, version = version + 1,
    webhook_due = ${hasWebhook ? sql`now()` : sql`NULL`}`;

  const released = sql`status = 'PENDING', lease = NULL, done_count = 0, version = version + 1`;

  return {
    /** Takes the ingestion that has waited longest, if any is due. */
    async take(): Promise<LeasedIngestion | undefined> {
      for (const customerKey of await customersDue({ query }, 'ingestion')) {
        const taken = await takeOf(customerKey);
        if (taken) return taken;
      }
      return undefined;
    },

    /** Renews the lease. @returns whether it is still ours */
    async renew(leased: LeasedIngestion): Promise<boolean> {
      const renewed = await query(sql`
        WITH kept AS (
          UPDATE pending_file SET due = ${INGESTION_LEASE_END}
          WHERE ${matchesFiles(leased.customerKey, leased.intents)} AND attempts = 0
            AND EXISTS (SELECT FROM ingestion WHERE ${isOurs(leased)})
          RETURNING 1
        )
        UPDATE ingestion SET due = ${LEASE_END}
        WHERE ${isOurs(leased)} AND (SELECT count(*) FROM kept) >= 0 RETURNING 1`);
      return renewed.length > 0;
    },

    /** Counts a file that is ingested. */
    async count(leased: LeasedIngestion): Promise<void> {
      await query(sql`
        UPDATE ingestion SET done_count = done_count + 1, version = version + 1
        WHERE ${isOurs(leased)}`);
    },

    /** Releases it after an outage: another gateway, or this one, takes it after some seconds. */
    async retryLater(leased: LeasedIngestion, afterSeconds: number): Promise<void> {
      await query(sql`
        UPDATE ingestion SET ${released}, due = now() + ${afterSeconds} * interval '1 second'
        WHERE ${isOurs(leased)}`);
    },

    /** Releases it because this gateway stops, which does not count as an attempt. */
    async handOver(leased: LeasedIngestion): Promise<void> {
      await query(sql`
        UPDATE ingestion SET ${released}, due = now(), attempts = attempts - 1
        WHERE ${isOurs(leased)}`);
    },

    /** Completes it in the transaction that publishes its files. */
    async complete(
      tx: Prisma.TransactionClient,
      leased: LeasedIngestion,
      { files }: Pick<Replaced, 'files'>,
    ): Promise<void> {
      const replaced = files.map(({ fileId }) => fileId);
      const completed = await tx.$executeRaw`
        UPDATE ingestion SET status = 'COMPLETED', done_count = file_count, ${finished},
          duplicates = duplicates || ${JSON.stringify({ replaced })}::jsonb
        WHERE ${isOurs(leased)}`;
      if (completed === 0) throw new Error('the lease of the ingestion was lost');
    },

    /**
     * Fails it, and refunds its charge; its files are due to be removed.
     *
     * @returns whether it was ours to fail
     */
    async fail(leased: LeasedIngestion, error: PublicError): Promise<boolean> {
      const { customerKey, charge } = leased;
      // One transaction: the request that began it may still be capturing the charge, which would
      // find it open in between.
      return prisma.$transaction(async (tx) => {
        const failed = await tx.$queryRaw<unknown[]>(failing(leased, error));
        if (failed.length === 0) return false;
        if (charge) await credits.refund({ customerKey, id: charge }, tx);
        return true;
      });
    },
  };

  /** Takes the ingestion of a customer that has waited longest, unless others work on all that are due. */
  async function takeOf(customerKey: number): Promise<LeasedIngestion | undefined> {
    const lease = randomUUID();
    const [taken] = await query<Omit<LeasedIngestion, 'intents' | 'lease'>>(sql`
      WITH taken AS (
        UPDATE ingestion SET status = 'RUNNING', lease = ${lease}::uuid, due = ${LEASE_END},
          attempts = attempts + 1, done_count = 0, version = version + 1
        WHERE customer_key = ${customerKey} AND id = (SELECT id FROM ingestion
          WHERE customer_key = ${customerKey} AND due <= now()
          ORDER BY due LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING *
      )
      SELECT customer_key AS "customerKey", customer.id AS "customerId", taken.id,
        dataset_id AS "datasetId", files, duplicates, chunk_size AS "chunkSize",
        chunk_overlap AS "chunkOverlap", charge, purse AS "budgetTokenId", request_id AS "requestId", attempts
      FROM taken JOIN customer ON customer.key = customer_key`);
    if (!taken) return undefined;
    return { ...taken, intents: taken.files.map(toFileIntent), lease };
  }

  function failing(leased: LeasedIngestion, { code, text }: PublicError): Prisma.Sql {
    const { customerKey, intents } = leased;
    const charges = sql`
      SELECT customer_key, charge, now(), purse, purse_amount FROM failed WHERE charge IS NOT NULL`;
    return sql`
        WITH locked AS (
          SELECT 1 FROM pending_file WHERE ${matchesFiles(customerKey, intents)} FOR UPDATE
        ), failed AS (
          UPDATE ingestion SET status = 'FAILED', error_code = ${code}, error_message = ${text}, ${finished}
          WHERE ${isOurs(leased)} AND (SELECT count(*) FROM locked) >= 0
          RETURNING customer_key, charge, purse, purse_amount
        ), opened AS (${openStatement(charges)}), dropped AS (
          UPDATE pending_file SET due = now()
          WHERE ${matchesFiles(customerKey, intents)} AND EXISTS (SELECT FROM failed)
        )
        SELECT 1 FROM failed`;
  }
}

export type IngestionLeases = ReturnType<typeof createIngestionLeases>;

/** A condition on a row of `ingestion`: this gateway still works on it. */
export function isOurs({ customerKey, id, lease }: LeasedIngestion): Prisma.Sql {
  return sql`customer_key = ${customerKey} AND id = ${id}::uuid AND lease = ${lease}::uuid`;
}
