import pg from 'pg';

/** Runs some work, and counts the SQL statements that reach PostgreSQL meanwhile. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    count++;
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
    return count;
  } finally {
    pg.Client.prototype.query = query;
  }
}
