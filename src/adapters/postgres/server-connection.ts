import { Pool, type PoolConfig } from 'pg';
import { reasonOf } from '../../core/reason-of.ts';
import { MIGRATION_LOCK } from './apply-migrations.ts';
import { connectionsTo, type ServerOptions } from './connections.ts';
import { isOutage } from './outage.ts';
import { refusal, refusalOf } from './refusals.ts';

/** A server that was reached and can do what is asked of it. */
export interface ReachedServer {
  connection: PoolConfig;
  migrations: PoolConfig;
  /** The variable that names the connection for migrations. */
  setting: string;
}

/** How a server is waited for that may be starting. */
export interface Wait {
  /** Milliseconds. */
  patienceMs: number;
  /** Told why, again and again. */
  onWait: (reason: string) => void;
}

const OLDEST_SERVER = 15;
const OLDEST_PGVECTOR = [0, 8] as const;

/**
 * Waits for the server, and makes sure that it can do what is asked of it.
 *
 * @throws ConfigurationError that says what to do
 */
export async function reachServer(options: ServerOptions, wait: Wait): Promise<ReachedServer> {
  const { connection, migrations } = connectionsTo(options);
  const setting = options.migrationUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  await withPool(migrations, async (pool) => {
    await waitFor(pool, setting, wait);
    await checkVersions(pool, setting);
  });
  const takesTimeout = await withPool(connection, (pool) => takesStatementTimeout(pool, wait));
  if (takesTimeout) return { connection, migrations, setting };
  return { connection: { ...connection, statement_timeout: false }, migrations, setting };
}

async function withPool<T>(connection: PoolConfig, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ ...connection, max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Poolers may refuse a setting of the session; then the client alone keeps the time. */
async function takesStatementTimeout(pool: Pool, wait: Wait): Promise<boolean> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    if (/unsupported startup parameter/.test(reasonOf(error))) return false;
    await waitFor(pool, 'DATABASE_URL', wait);
  }
  return true;
}

async function waitFor(pool: Pool, setting: string, { patienceMs, onWait }: Wait): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      if (!isOutage(error)) throw refusalOf(setting, error);
      const reason = reasonOf(error);
      if (Date.now() >= end) throw refusal(setting, `the server cannot be reached: ${reason}`);
      onWait(reason);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function checkVersions(pool: Pool, setting: string): Promise<void> {
  const { rows } = await pool.query<{
    server: number;
    version: string;
    available: string | null;
    installed: string | null;
  }>(
    `SELECT current_setting('server_version_num')::int AS server,
            current_setting('server_version') AS version,
            default_version AS available, installed_version AS installed
     FROM (SELECT) AS one
     LEFT JOIN pg_available_extensions ON name = 'vector'`,
  );
  const [found] = rows;
  if (!found) throw refusal(setting, 'the server does not tell its version');
  const { server, version, available, installed } = found;
  const refuse = (reason: string, cure: string) => refusal(setting, reason, cure);
  if (server < OLDEST_SERVER * 10_000) {
    throw refuse(`PostgreSQL ${version} is too old`, `${OLDEST_SERVER} or newer is needed`);
  }
  if (!available) {
    throw refuse('the server has no pgvector', 'install it (https://github.com/pgvector/pgvector)');
  }
  if (isOlder(available)) {
    const cure = `install ${OLDEST_PGVECTOR.join('.')} or newer`;
    throw refuse(`pgvector ${available} is too old`, cure);
  }
  if (installed && isOlder(installed)) {
    throw refuse(`pgvector ${installed} is too old`, 'run ALTER EXTENSION vector UPDATE');
  }
  if (!installed) await createExtension(pool, setting);
}

/** Gateways that start at once wait for each other: two at a time would fail. */
async function createExtension(pool: Pool, setting: string): Promise<void> {
  try {
    await pool.query(
      `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); CREATE EXTENSION IF NOT EXISTS vector`,
    );
  } catch (error) {
    const reason = `pgvector is not in this database (${reasonOf(error)})`;
    throw refusal(setting, reason, 'let its owner run CREATE EXTENSION vector');
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = OLDEST_PGVECTOR;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
