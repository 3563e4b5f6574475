import { Prisma } from '../generated/prisma/client.ts';

/**
 * A condition on rows that have a `loader_key`: their file is published, and not being deleted.
 * PostgreSQL hashes a subquery in any plan; it would scan an array for each row.
 */
export function isListed(customerKey: number): ReturnType<typeof Prisma.sql> {
  return Prisma.sql`loader_key NOT IN (
    SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey})`;
}
