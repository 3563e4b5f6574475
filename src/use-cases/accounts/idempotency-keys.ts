import { PERIODS } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { customersDue } from '../customers-due.ts';
import type { Dependencies } from '../dependencies.ts';
import { captureStatement, matchesCharges } from './charge-statements.ts';

const { empty, sql } = Prisma;

const KEPT = sql`make_interval(hours => ${PERIODS.idempotencyKeyHours}::int)`;
/** The lease of a running call: without a heartbeat until then, a repeat takes over. */
const LEASE_END = sql`now() + interval '60 seconds'`;
/** Keys that are removed per batch. */
const BATCH = 1000;

/** One execution of a call with an idempotency key. */
export interface Try {
  customerKey: number;
  /** The SHA-256 hash of key, operation and credential. */
  id: Buffer;
  /** The SHA-256 hash of what the call asks for. */
  fingerprint: Buffer;
  /** A UUID. */
  attempt: string;
}

/** A key in use. */
export interface KnownKey {
  fingerprint: Buffer;
  isRunning: boolean;
  /** Sealed; null while the call is running, and when its answer was too large. */
  answer: Buffer | null;
}

/** The idempotency keys of all customers, in the database that gateways share. */
export function createIdempotencyKeys({ query }: Pick<Dependencies, 'query'>) {
  return {
    /**
     * Claims a key that is new, or no longer kept, or whose process ended without a result.
     *
     * @returns none when the key is in use; otherwise the attempt from which it is taken over, if any
     */
    async claim(one: Try): Promise<{ previous: string | null } | undefined> {
      const [claimed] = await query<{ previous: string | null }>(sql`
        WITH claimed AS (
          INSERT INTO idempotency_key AS known (customer_key, id, fingerprint, attempt, lease_end)
          VALUES (${one.customerKey}, ${one.id}, ${one.fingerprint}, ${one.attempt}::uuid, ${LEASE_END})
          ON CONFLICT (customer_key, id) DO UPDATE
            SET fingerprint = excluded.fingerprint, attempt = excluded.attempt,
              lease_end = excluded.lease_end, answer = NULL, created = excluded.created
            WHERE excluded.created - known.created >= ${KEPT}
              OR (known.lease_end <= excluded.created AND known.fingerprint = excluded.fingerprint)
          RETURNING 1
        )
        SELECT (SELECT attempt FROM idempotency_key
          WHERE customer_key = ${one.customerKey} AND id = ${one.id}) AS previous FROM claimed`);
      return claimed;
    },

    async find({ customerKey, id }: Try): Promise<KnownKey | undefined> {
      const [known] = await query<KnownKey>(sql`
        SELECT fingerprint, lease_end IS NOT NULL AS "isRunning", answer FROM idempotency_key
        WHERE customer_key = ${customerKey} AND id = ${id}`);
      return known;
    },

    /**
     * The statement that keeps the answer of an attempt and captures its charge. It returns no row
     * when another attempt has taken over; then nothing is kept or captured.
     *
     * @param answer sealed; null when it is too large
     */
    keeping(
      { customerKey, id, attempt }: Try,
      answer: Buffer | null,
      chargeId: string | undefined,
    ): Prisma.Sql {
      const capture = (id: string) =>
        captureStatement(
          sql`${matchesCharges([{ customerKey, id }])} AND EXISTS (SELECT FROM kept)`,
        );
      return sql`
        WITH kept AS (
          UPDATE idempotency_key SET lease_end = NULL, answer = ${answer}
          WHERE customer_key = ${customerKey} AND id = ${id} AND attempt = ${attempt}::uuid
          RETURNING 1
        ) ${chargeId === undefined ? empty : sql`, captured AS (${capture(chargeId)})`}
        SELECT 1 FROM kept`;
    },

    /** Frees the key of an attempt that has failed. */
    async release({ customerKey, id, attempt }: Try): Promise<void> {
      await query(sql`
        DELETE FROM idempotency_key WHERE customer_key = ${customerKey} AND id = ${id}
          AND attempt = ${attempt}::uuid AND lease_end IS NOT NULL`);
    },

    /** Renews the leases of running attempts. */
    async heartbeat(running: Try[]): Promise<void> {
      await query(sql`
        UPDATE idempotency_key SET lease_end = ${LEASE_END}
        WHERE lease_end IS NOT NULL AND (customer_key, id, attempt) IN (SELECT * FROM unnest(
          ${running.map(({ customerKey }) => customerKey)}::int[],
          ${running.map(({ id }) => id)}::bytea[],
          ${running.map(({ attempt }) => attempt)}::uuid[]))`);
    },

    /** Whether a call of this customer can be repeated without a charge. */
    async hasAnswers(customerKey: number): Promise<boolean> {
      const found = await query(sql`
        SELECT 1 FROM idempotency_key
        WHERE customer_key = ${customerKey} AND lease_end IS NULL LIMIT 1`);
      return found.length > 0;
    },

    /** Removes expired keys. @returns how many */
    async removeExpired(): Promise<number> {
      const until = sql`now() - ${KEPT}`;
      let count = 0;
      for (const customerKey of await customersDue(
        { query },
        'idempotency_key',
        'created',
        until,
      )) {
        let removed: unknown[];
        do {
          removed = await query(sql`
            DELETE FROM idempotency_key WHERE customer_key = ${customerKey} AND id IN (
              SELECT id FROM idempotency_key
              WHERE customer_key = ${customerKey} AND created <= ${until}
              LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`);
          count += removed.length;
        } while (removed.length === BATCH);
      }
      return count;
    },
  };
}
