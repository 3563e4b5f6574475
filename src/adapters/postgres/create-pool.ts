import { Pool, type PoolConfig } from 'pg';

/**
 * A pool whose connections may break. An idle one is replaced at the next use, and one that is used
 * fails its statement; without listeners, the events would end the process.
 */
export function createPool(connection: PoolConfig): Pool {
  const pool = new Pool(connection);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
