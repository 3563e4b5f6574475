import { Client, type PoolClient } from 'pg';

/**
 * Closes a connection when the server does not answer a statement in time, so that the statement
 * fails. Statements with their own `query_timeout` are left to `pg`. With that option for all
 * of them, `pg` creates a timer and closures for each statement that V8 keeps until a major garbage
 * collection; this is one timer for a connection.
 *
 * @param limit in milliseconds
 */
export function limitStatements(client: PoolClient, limit: number): void {
  let isWaiting = false;
  const timer = setTimeout(() => {
    if (isWaiting) void client.end();
  }, limit).unref();

  client.query = ((...args: [{ query_timeout?: number } | string, ...unknown[]]) => {
    const [statement] = args;
    if (typeof statement === 'string' || !statement.query_timeout) {
      isWaiting = true;
      timer.refresh();
    }
    // Looked up each time: tracing libraries may replace it.
    return Reflect.apply(Client.prototype.query, client, args);
  }) as typeof client.query;
  // Emitted when no statement is left.
  client.on('drain', () => {
    isWaiting = false;
  });
  client.on('end', () => clearTimeout(timer));
}
