import type { Faults } from './faults.ts';

/** What a customer has, and what the ledger says; read in one statement, so at one moment. */
export async function readLedger({ deps }: Faults, customerId: string) {
  const [row] = await deps.prisma.$queryRaw<
    { credits: string | null; sum: string; entries: number }[]
  >`
    SELECT trim_scale(credits)::text AS credits,
           trim_scale(coalesce(sum(amount), 0))::text AS sum,
           count(amount)::int AS entries
    FROM customer JOIN balance ON balance.customer_key = customer.key
      LEFT JOIN credit_entry ON credit_entry.customer_key = balance.customer_key
    WHERE customer.id = ${customerId} GROUP BY customer.key, credits`;
  if (!row) throw new Error('no such customer');
  return row;
}
