import { AppError } from '../core/errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Dependencies } from './dependencies.ts';

/** An amount that was taken, and what for. */
export interface Charge {
  customerKey: number;
  /** Credits, exact. */
  amount: Prisma.Decimal;
  reason: string;
  /** The request that caused it. */
  reference: string;
}

/**
 * The credits of customers. Balance and ledger change in one statement, so the balance is always
 * the ledger's sum and never below zero; an unmetered customer (`credits` null) is never charged.
 */
export function createCredits({ prisma, query }: Pick<Dependencies, 'prisma' | 'query'>) {
  return {
    /** @throws AppError INSUFFICIENT_CREDITS, and nothing was taken */
    async charge(charge: Charge): Promise<void> {
      const taken = await add(charge, charge.amount.negated());
      if (taken) return;
      const { credits } = await prisma.customer.findUniqueOrThrow({
        where: { key: charge.customerKey },
        select: { credits: true },
      });
      if (credits === null) return;
      throw new AppError('INSUFFICIENT_CREDITS', {
        required: charge.amount.toNumber(),
        available: credits.toNumber(),
      });
    },

    /** Gives a charge back. */
    async refund(charge: Charge): Promise<void> {
      await add({ ...charge, reason: `${charge.reason} refund` }, charge.amount);
    },

    /** Adds credits; nothing happens to an unmetered customer. */
    async grant(charge: Charge): Promise<void> {
      await add(charge, charge.amount);
    },
  };

  /** @returns whether the customer is metered and had enough */
  async function add(
    { customerKey, reason, reference }: Charge,
    change: Prisma.Decimal,
  ): Promise<boolean> {
    const amount = change.toFixed();
    const rows = await query(Prisma.sql`
      WITH changed AS (
        UPDATE customer SET credits = credits + ${amount}::numeric
        WHERE key = ${customerKey} AND credits + ${amount}::numeric >= 0
        RETURNING key
      )
      INSERT INTO credit_entry (customer_key, amount, reason, reference)
      SELECT key, ${amount}::numeric, ${reason}, ${reference} FROM changed
      RETURNING id`);
    return rows.length > 0;
  }
}

export type Credits = ReturnType<typeof createCredits>;
