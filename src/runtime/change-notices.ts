import type { Database } from '../adapters/postgres/database.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';

/** Listens for changes in the database, and logs by which method. */
export async function openChangeNotices(
  { pollMs }: Config,
  log: Log,
  {
    pool,
    query,
    direct,
    isDistributed,
  }: Pick<Database, 'pool' | 'query' | 'direct' | 'isDistributed'>,
) {
  const { createChangeNotices } = await import('../adapters/postgres/change-notices.ts');
  return createChangeNotices({
    connection: direct,
    pool,
    query,
    isDistributed,
    pollMs,
    onPolling: (reason) => log.warn({ reason }, 'LISTEN does not work: polling for changes'),
    onListening: () => log.info({}, 'listening for changes again'),
  });
}
