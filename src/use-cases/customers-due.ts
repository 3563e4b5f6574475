import { Prisma } from '../generated/prisma/client.ts';
import type { Dependencies } from './dependencies.ts';

/** Customers that are found at once. */
const MOST = 1000;

/**
 * The customers who have rows that are due, those who have waited longest first. The rows are then
 * claimed in one statement for each customer: on a distributed database, rows of several servers
 * cannot be locked in one.
 *
 * @param table has the columns `customer_key` and that of `since`
 * @param since the column with the time since which a row is due
 * @param until rows that are due by then; now by default
 */
export async function customersDue(
  { query }: Pick<Dependencies, 'query'>,
  table: 'pending_file' | 'pending_charge' | 'idempotency_key' | 'ingestion',
  since: 'due' | 'webhook_due' | 'created' = 'due',
  until = Prisma.sql`now()`,
): Promise<number[]> {
  const column = Prisma.raw(since);
  const rows = await query<{ customerKey: number }>(Prisma.sql`
    SELECT customer_key AS "customerKey" FROM ${Prisma.raw(table)} WHERE ${column} <= ${until}
    GROUP BY customer_key ORDER BY min(${column}) LIMIT ${MOST}`);
  return rows.map(({ customerKey }) => customerKey);
}
