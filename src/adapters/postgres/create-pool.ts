import { Pool, type PoolConfig } from 'pg';
import { limitStatements } from './limit-statements.ts';

/**
 * Creates a pool that tolerates broken connections. An idle one is replaced; one in use fails its
 * statement. Without listeners, the `error` events would end the process.
 */
export function createPool({ query_timeout: limit, ...connection }: PoolConfig): Pool {
  const pool = new Pool(connection);
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (limit) limitStatements(client, limit);
  });
  return pool;
}
