import { AppError } from '../../core/errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { customersDue } from '../customers-due.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  CHARGE_LEASE_END,
  type Charge,
  type ChargeId,
  captureStatement,
  chargeStatement,
  matchesCharges,
  openStatement,
  REFUND,
  refundStatement,
} from './charge-statements.ts';

const { sql } = Prisma;

/**
 * The credits of customers, and the budgets of frontend tokens. Balance and ledger change
 * in one statement, so the balance is always the sum of the ledger. Neither a balance nor a budget is ever
 * below zero. An unmetered customer (`credits` null) is never charged.
 *
 * A charge is open until it is captured or refunded. The first of the two wins and the other then does
 * nothing, so both can be retried. The sweeper refunds charges that stay open.
 */
export function createCredits({ query, observer }: Pick<Dependencies, 'query' | 'observer'>) {
  return {
    /**
     * Makes a charge, which is then open.
     *
     * @returns whether anything was charged: the customer is metered, or the token has a budget
     * @throws AppError INSUFFICIENT_CREDITS; then nothing was taken
     */
    async charge(charge: Charge): Promise<boolean> {
      const [taken] = await query<{ metered: boolean }>(chargeStatement(charge));
      if (taken) {
        if (taken.metered) bookCharge(charge);
        return true;
      }
      const available = await availableTo(charge);
      if (available === null) return false;
      throw insufficient(charge.amount, available);
    },

    /**
     * Checks whether an amount could be charged, without charging it.
     *
     * @throws AppError INSUFFICIENT_CREDITS
     */
    async check(payer: Payer, amount: Prisma.Decimal): Promise<void> {
      if (amount.isZero()) return;
      const available = await availableTo(payer);
      if (available?.lessThan(amount)) throw insufficient(amount, available);
    },

    /** Makes open charges final. */
    async capture(charges: ChargeId[]): Promise<void> {
      await query(captureStatement(matchesCharges(charges)));
    },

    /** Renews the lease of open charges while their work continues. */
    async heartbeat(charges: ChargeId[]): Promise<void> {
      await query(
        sql`UPDATE pending_charge SET due = ${CHARGE_LEASE_END} WHERE ${matchesCharges(charges)}`,
      );
    },

    /** Refunds an open charge, in a transaction if one is given. */
    async refund(charge: ChargeId, tx?: Prisma.TransactionClient): Promise<void> {
      await refundWhere(charge.customerKey, matchesCharges([charge]), tx);
    },

    /**
     * Replaces a final charge by a smaller one, or by none, in a transaction. A token that has been deleted
     * since is not charged.
     */
    async replace(
      paid: Charge,
      rest: Charge | undefined,
      tx: Prisma.TransactionClient,
    ): Promise<void> {
      const { customerKey, id, amount, budgetTokenId } = paid;
      await tx.$executeRaw(
        openStatement(sql`
          VALUES (${customerKey}, ${id}::uuid, now(), ${budgetTokenId ?? null}::uuid,
            ${budgetTokenId ? amount.toFixed() : null}::numeric)`),
      );
      await refundWhere(customerKey, matchesCharges([paid]), tx);
      if (!rest) return;
      for (const budgetTokenId of new Set([rest.budgetTokenId, undefined])) {
        const statement = chargeStatement({ ...rest, budgetTokenId });
        const [taken] = await tx.$queryRaw<{ metered: boolean }[]>(statement);
        if (!taken) continue;
        if (taken.metered) bookCharge(rest);
        break;
      }
      await tx.$executeRaw(captureStatement(matchesCharges([rest])));
    },

    /** Refunds charges whose lease has expired. @returns how many */
    async refundAbandoned(): Promise<number> {
      let count = 0;
      // One customer at a time: locking several balances at once could deadlock.
      for (const customerKey of await customersDue({ query }, 'pending_charge')) {
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
          UPDATE balance SET credits = credits + ${amount.toFixed()}::numeric
          WHERE customer_key = ${customerKey} AND credits IS NOT NULL
          RETURNING customer_key
        )
        INSERT INTO credit_entry (customer_key, charge, amount, reason, reference)
        SELECT customer_key, ${id}::uuid, ${amount.toFixed()}::numeric, ${reason}, ${reference} FROM changed`);
    },
  };

  function bookCharge({ amount, reason }: Charge): void {
    observer.book({ type: 'charged', reason, credits: amount.toNumber() });
  }

  /** @returns the smaller one of balance and budget; null for an unmetered customer without a budget */
  async function availableTo({
    customerKey,
    budgetTokenId,
  }: Payer): Promise<Prisma.Decimal | null> {
    // A missing budget counts as empty. `least` ignores null.
    const [row] = await query<{ available: string | null }>(
      budgetTokenId === undefined
        ? sql`SELECT credits AS available FROM balance WHERE customer_key = ${customerKey}`
        : sql`SELECT least(credits, coalesce((SELECT token.credits FROM frontend_token AS token
            WHERE customer_key = ${customerKey} AND id = ${budgetTokenId}::uuid), 0)) AS available
          FROM balance WHERE customer_key = ${customerKey}`,
    );
    if (!row) throw new Error('the customer is gone');
    return row.available === null ? null : new Prisma.Decimal(row.available);
  }

  /** @returns how many open charges were refunded */
  async function refundWhere(
    customerKey: number,
    which: Prisma.Sql,
    tx?: Prisma.TransactionClient,
  ): Promise<number> {
    const statement = refundStatement(customerKey, which);
    type Returned = { reason: string | null; credits: number };
    const returned = tx
      ? await tx.$queryRaw<Returned[]>(statement)
      : await query<Returned>(statement);
    for (const { reason, credits } of returned) {
      if (reason === null) continue;
      observer.book({ type: 'returned', reason: reason.slice(0, -REFUND.length), credits });
    }
    return returned.length;
  }
}

export type Credits = ReturnType<typeof createCredits>;

/** Who pays: a customer, and the frontend token whose budget pays, too. */
type Payer = Pick<Charge, 'customerKey' | 'budgetTokenId'>;

function insufficient(required: Prisma.Decimal, available: Prisma.Decimal): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    required: required.toNumber(),
    available: available.toNumber(),
  });
}
