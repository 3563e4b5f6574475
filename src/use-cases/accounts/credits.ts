import { AppError } from '../../core/errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';

const { sql } = Prisma;

/** An amount that was taken from the credits of a customer. */
export interface Charge {
  customerKey: number;
  /** A UUID; the ledger has at most one charge and one refund with it. */
  id: string;
  /** Credits, exact. */
  amount: Prisma.Decimal;
  reason: string;
  /** The request that caused it. */
  reference: string;
}

/** The suffix that the reason of a charge gets in the ledger entry of its refund. */
const REFUND = ' refund';

type ChargeId = Pick<Charge, 'customerKey' | 'id'>;

/** The lease of an open charge: without a heartbeat until then, the sweeper refunds it. */
const CHARGE_LEASE_END = sql`now() + interval '15 minutes'`;

/**
 * The credits of customers. Balance and ledger change in one statement, so the balance is always
 * the sum of the ledger and never below zero. An unmetered customer (`credits` null) is never charged.
 *
 * A charge is open until it is captured or refunded. The first of the two wins and the other then does
 * nothing, so both can be retried. The sweeper refunds charges that stay open.
 */
export function createCredits({
  prisma,
  query,
  observer,
}: Pick<Dependencies, 'prisma' | 'query' | 'observer'>) {
  return {
    /**
     * Makes a charge, which is then open.
     *
     * @returns whether the customer is metered
     * @throws AppError INSUFFICIENT_CREDITS; then nothing was taken
     */
    async charge({ customerKey, id, amount, reason, reference }: Charge): Promise<boolean> {
      const price = amount.toFixed();
      const booked = await query(sql`
        WITH changed AS (
          UPDATE customer SET credits = credits - ${price}::numeric
          WHERE key = ${customerKey} AND credits >= ${price}::numeric
          RETURNING key
        ), open AS (
          INSERT INTO pending_charge (customer_key, id, due)
          SELECT key, ${id}::uuid, ${CHARGE_LEASE_END} FROM changed
        )
        INSERT INTO credit_entry (customer_key, charge, amount, reason, reference)
        SELECT key, ${id}::uuid, -${price}::numeric, ${reason}, ${reference} FROM changed
        RETURNING 1`);
      if (booked.length > 0) {
        observer.book({ type: 'charged', reason, credits: amount.toNumber() });
        return true;
      }
      const available = await balanceOf(customerKey);
      if (available === null) return false;
      throw insufficient(amount, available);
    },

    /**
     * Checks whether an amount could be charged, without charging it.
     *
     * @throws AppError INSUFFICIENT_CREDITS
     */
    async check(customerKey: number, amount: Prisma.Decimal): Promise<void> {
      if (amount.isZero()) return;
      const available = await balanceOf(customerKey);
      if (available?.lessThan(amount)) throw insufficient(amount, available);
    },

    /** Makes open charges final. */
    async capture(charges: ChargeId[]): Promise<void> {
      await query(sql`DELETE FROM pending_charge WHERE ${matchesCharges(charges)}`);
    },

    /** Renews the lease of open charges while their work goes on. */
    async heartbeat(charges: ChargeId[]): Promise<void> {
      await query(
        sql`UPDATE pending_charge SET due = ${CHARGE_LEASE_END} WHERE ${matchesCharges(charges)}`,
      );
    },

    /** Refunds an open charge, in a transaction if one is given. */
    async refund(charge: ChargeId, tx?: Prisma.TransactionClient): Promise<void> {
      await refundWhere(charge.customerKey, matchesCharges([charge]), tx);
    },

    /** Refunds charges whose lease has expired. @returns how many */
    async refundAbandoned(): Promise<number> {
      const abandoned = await query<{ customerKey: number }>(sql`
        SELECT DISTINCT customer_key AS "customerKey" FROM pending_charge WHERE due <= now()`);
      let count = 0;
      // One customer at a time: locking several balances at once could deadlock.
      for (const { customerKey } of abandoned) {
        count += await refundWhere(
          customerKey,
          sql`customer_key = ${customerKey} AND due <= now()`,
        );
      }
      return count;
    },

    /** Adds credits; nothing happens to an unmetered customer. */
    async grant({ customerKey, id, amount, reason, reference }: Charge): Promise<void> {
      await query(sql`
        WITH changed AS (
          UPDATE customer SET credits = credits + ${amount.toFixed()}::numeric
          WHERE key = ${customerKey} AND credits IS NOT NULL
          RETURNING key
        )
        INSERT INTO credit_entry (customer_key, charge, amount, reason, reference)
        SELECT key, ${id}::uuid, ${amount.toFixed()}::numeric, ${reason}, ${reference} FROM changed`);
    },
  };

  /** @returns null for an unmetered customer */
  async function balanceOf(customerKey: number): Promise<Prisma.Decimal | null> {
    const { credits } = await prisma.customer.findUniqueOrThrow({
      where: { key: customerKey },
      select: { credits: true },
    });
    return credits;
  }

  /** @returns how many open charges were refunded */
  async function refundWhere(
    customerKey: number,
    which: Prisma.Sql,
    tx?: Prisma.TransactionClient,
  ): Promise<number> {
    const statement = sql`
      WITH open AS (
        DELETE FROM pending_charge WHERE ${which} RETURNING customer_key, id
      ), booked AS (
        INSERT INTO credit_entry (customer_key, charge, amount, reason, reference)
        SELECT customer_key, charge, -amount, reason || ${REFUND}, reference
        FROM credit_entry JOIN open USING (customer_key)
        WHERE customer_key = ${customerKey} AND charge = open.id AND amount < 0
        RETURNING reason, amount
      ), changed AS (
        UPDATE customer SET credits = credits + (SELECT sum(amount) FROM booked)
        WHERE key = ${customerKey} AND EXISTS (SELECT FROM booked)
      )
      SELECT reason, amount::float8 AS credits FROM booked`;
    type Returned = { reason: string; credits: number };
    const returned = tx
      ? await tx.$queryRaw<Returned[]>(statement)
      : await query<Returned>(statement);
    for (const { reason, credits } of returned) {
      observer.book({ type: 'returned', reason: reason.slice(0, -REFUND.length), credits });
    }
    return returned.length;
  }
}

export type Credits = ReturnType<typeof createCredits>;

function insufficient(required: Prisma.Decimal, available: Prisma.Decimal): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    required: required.toNumber(),
    available: available.toNumber(),
  });
}

function matchesCharges(charges: ChargeId[]): Prisma.Sql {
  return sql`(customer_key, id) IN (SELECT * FROM unnest(
    ${charges.map(({ customerKey }) => customerKey)}::int[], ${charges.map(({ id }) => id)}::uuid[]))`;
}
