import type { Pool, PoolClient } from 'pg';

/** The part of a pool that provides connections. */
export type Connects = Pick<Pool, 'connect'>;

/**
 * Runs several statements on one connection. If they fail, the connection is closed, because a
 * transaction may still be open.
 */
export async function withConnection<T>(
  pool: Connects,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
