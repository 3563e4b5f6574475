import type { Database } from '../adapters/postgres/database.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';

/** How long a starting gateway waits for a database server that is also starting, in milliseconds. */
const WAIT_MS = 30_000;

/** Opens the database, and logs its state. A gateway owns its data folder; others share it. */
export async function openDatabaseOf(
  { database }: Config,
  log: Log,
  { isGateway, onStarting }: { isGateway: boolean; onStarting: () => void },
): Promise<Database> {
  const { openDatabase } = await import('../adapters/postgres/database.ts');
  return openDatabase(
    database.kind === 'embedded' ? { ...database, share: !isGateway } : database,
    {
      connectTimeoutMs: isGateway ? WAIT_MS : 0,
      onStarting,
      onRetry: (reason) => log.warn({ reason }, 'waiting for the database'),
      onRestart: (how) => log.error({ how }, 'the embedded database ended, and is started again'),
      onEditedMigrations: (migrations) =>
        log.warn({ migrations }, 'migrations were edited after they had been applied here'),
    },
  );
}
