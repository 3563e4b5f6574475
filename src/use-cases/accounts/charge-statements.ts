import { Prisma } from '../../generated/prisma/client.ts';

const { empty, sql } = Prisma;

/** An amount taken from the credits of a customer. */
export interface Charge {
  customerKey: number;
  /** A UUID; the ledger has at most one charge and one refund with it. */
  id: string;
  /** Credits, exact. */
  amount: Prisma.Decimal;
  reason: string;
  /** The request that caused it. */
  reference: string;
  /** The frontend token from whose budget the amount is also taken. */
  budgetTokenId?: string | undefined;
}

export type ChargeId = Pick<Charge, 'customerKey' | 'id'>;

/** The suffix that the reason of a charge gets in the ledger entry of its refund. */
export const REFUND = ' refund';

/** The lease of an open charge: without a heartbeat until then, the sweeper refunds it. */
export const CHARGE_LEASE_END = sql`now() + interval '15 minutes'`;

/**
 * Takes an amount from a customer and from a budget, if there is one: from both or from neither. When the
 * customer is unmetered, the budget still pays, and the ledger gets no entry.
 *
 * @returns a statement whose only row, if the amount was taken, says whether the customer is metered
 */
export function chargeStatement(charge: Charge): Prisma.Sql {
  const { customerKey, id, amount, reason, reference, budgetTokenId } = charge;
  const price = sql`${amount.toFixed()}::numeric`;
  const token = sql`customer_key = ${customerKey} AND id = ${budgetTokenId}::uuid`;
  const hasBudget = budgetTokenId !== undefined;
  const opened = sql`
    SELECT customer_key, ${id}::uuid, ${CHARGE_LEASE_END}, ${budgetTokenId}::uuid, ${hasBudget ? price : null}
    FROM changed`;
  // The lock makes the budget wait for concurrent charges before it is compared with the price.
  return sql`
    WITH ${
      hasBudget
        ? sql`budget AS (
          SELECT 1 FROM frontend_token WHERE ${token} AND credits >= ${price} FOR UPDATE
        ),`
        : empty
    } changed AS (
      UPDATE balance SET credits = credits - ${price} WHERE customer_key = ${customerKey} AND ${
        hasBudget
          ? sql`(credits IS NULL OR credits >= ${price}) AND EXISTS (SELECT FROM budget)`
          : sql`credits >= ${price}`
      }
      RETURNING customer_key, credits IS NOT NULL AS metered
    ), ${
      hasBudget
        ? sql`spent AS (
          UPDATE frontend_token SET credits = credits - ${price}
          WHERE ${token} AND EXISTS (SELECT FROM changed)
        ),`
        : empty
    } open AS (${openStatement(opened)}), booked AS (
      INSERT INTO credit_entry (customer_key, charge, amount, reason, reference)
      SELECT customer_key, ${id}::uuid, -${price}, ${reason}, ${reference} FROM changed WHERE metered
    )
    SELECT metered FROM changed`;
}

/**
 * Opens charges that are booked already.
 *
 * @param rows a statement that selects the customer, the id, the end of the lease, and the token with
 *   the amount that its budget paid, or nulls
 */
export function openStatement(rows: Prisma.Sql): Prisma.Sql {
  return sql`INSERT INTO pending_charge (customer_key, id, due, token_id, amount) ${rows}`;
}

/**
 * Makes open charges final.
 *
 * @param which a condition on a row of `pending_charge`
 */
export function captureStatement(which: Prisma.Sql): Prisma.Sql {
  return sql`DELETE FROM pending_charge WHERE ${which}`;
}

/**
 * Makes the charge of an upload final, in the transaction that records the upload.
 *
 * @throws Error when the sweeper has refunded it
 */
export async function captureIn(
  tx: Prisma.TransactionClient,
  charge: Charge | undefined,
): Promise<void> {
  if (!charge) return;
  const count = await tx.$executeRaw(captureStatement(matchesCharges([charge])));
  if (count === 0) throw new Error('the sweeper has refunded the charge of the upload');
}

/**
 * Refunds open charges of a customer.
 *
 * @param which a condition on a row of `pending_charge`
 * @returns a statement with a row for each charge: what was booked, null for an unmetered customer
 */
export function refundStatement(customerKey: number, which: Prisma.Sql): Prisma.Sql {
  // Budgets change before the customer, as in a charge: two orders could deadlock. `count(*) >= 0` enforces
  // this order: it is always true, but PostgreSQL has to run all of `budgets` before it locks the balance.
  return sql`
    WITH open AS (
      DELETE FROM pending_charge WHERE ${which} RETURNING customer_key, id, token_id, amount
    ), budgets AS (
      UPDATE frontend_token SET credits = credits + spent.amount
      FROM (SELECT token_id, sum(amount) AS amount FROM open GROUP BY token_id) AS spent
      WHERE frontend_token.customer_key = ${customerKey} AND frontend_token.id = spent.token_id
      RETURNING 1
    ), booked AS (
      INSERT INTO credit_entry (customer_key, charge, amount, reason, reference)
      SELECT entry.customer_key, charge, -entry.amount, reason || ${REFUND}, reference
      FROM credit_entry AS entry JOIN open USING (customer_key)
      WHERE customer_key = ${customerKey} AND charge = open.id AND entry.amount < 0
      RETURNING charge, reason, amount
    ), changed AS (
      UPDATE balance SET credits = credits + (SELECT sum(amount) FROM booked)
      WHERE customer_key = ${customerKey} AND EXISTS (SELECT FROM booked)
        AND (SELECT count(*) FROM budgets) >= 0
    )
    SELECT booked.reason, booked.amount::float8 AS credits
    FROM open LEFT JOIN booked ON booked.charge = open.id`;
}

/** A condition on rows of `pending_charge`. */
export function matchesCharges(charges: ChargeId[]): Prisma.Sql {
  const [customerKey, another] = new Set(charges.map((charge) => charge.customerKey));
  if (another === undefined) {
    return sql`customer_key = ${customerKey} AND id = ANY (${charges.map(({ id }) => id)}::uuid[])`;
  }
  return sql`(customer_key, id) IN (SELECT * FROM unnest(
    ${charges.map(({ customerKey }) => customerKey)}::int[], ${charges.map(({ id }) => id)}::uuid[]))`;
}
