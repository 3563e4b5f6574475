import { Prisma } from '../generated/prisma/client.ts';

type Sql = ReturnType<typeof Prisma.sql>;

/**
 * The time so many seconds from now.
 *
 * @param seconds an expression, which may have columns: to add an interval depends on the time zone, and
 *   Citus refuses to do that with the columns of an update
 */
export function secondsFromNow(seconds: Sql): Sql {
  return Prisma.sql`to_timestamp(extract(epoch FROM now())::float8 + ${seconds})`;
}
