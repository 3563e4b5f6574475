import type { Database } from '../adapters/postgres/database.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';

/** The replica of a database server, if there is one; its outages are logged. */
export async function openReadReplica(
  { database: settings }: Config,
  log: Log,
  database: () => Promise<Database>,
) {
  if (settings.kind !== 'server' || !settings.readUrl) return undefined;
  const { openReplica } = await import('../adapters/postgres/replica.ts');
  const { pool } = await database();
  const options = { ...settings, url: settings.readUrl };
  return openReplica(pool, options, {
    onAway: (reason) => log.warn({ reason }, 'the replica is not used: reading from the primary'),
    onBack: () => log.info({}, 'the replica is used again'),
  });
}
