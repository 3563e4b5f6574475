import { Pool, type PoolConfig } from 'pg';
import { reasonOf } from '../../core/reason-of.ts';
import { MIGRATION_LOCK } from './apply-migrations.ts';
import { connectionsTo, type ServerOptions } from './connections.ts';
import { configurationError, diagnose } from './diagnostics.ts';
import { isOutage } from './outage.ts';

/** How to connect to a server that was checked. */
export interface CheckedServer {
  connection: PoolConfig;
  migrations: PoolConfig;
  /** The setting that holds the URL for migrations. */
  setting: string;
}

/** What to do while the server is unavailable, for example because it is starting. */
export interface ConnectOptions {
  /** Milliseconds after which connecting fails. With 0 it is tried once. */
  connectTimeoutMs: number;
  /** Called with the reason before each retry. */
  onRetry: (reason: string) => void;
}

const RETRY_MS = 1000;
const MIN_SERVER_VERSION = 15;
const MIN_PGVECTOR_VERSION = [0, 8] as const;
/** What the gateway and its libraries rely on, if a role or a database has other defaults. */
const SESSION: { name: string; expected: RegExp; value: string }[] = [
  { name: 'default_transaction_isolation', expected: /^read committed$/, value: 'read committed' },
  { name: 'datestyle', expected: /^ISO/, value: 'ISO' },
];

/**
 * Waits until the server is available, checks its version, pgvector's and the defaults of a session,
 * and creates the extension if needed.
 *
 * @throws ConfigurationError with a hint
 */
export async function connectToServer(
  options: ServerOptions,
  retry: ConnectOptions,
): Promise<CheckedServer> {
  const { connection, migrations } = connectionsTo(options);
  const setting = options.migrationUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  await withPool(migrations, async (pool) => {
    await waitFor(pool, setting, retry);
    await checkVersions(pool, setting);
    await checkSession(pool, setting);
  });
  const hasTimeout = await withPool(connection, (pool) => supportsTimeout(pool, retry));
  const supported = hasTimeout ? connection : { ...connection, statement_timeout: false as const };
  // It may have another user.
  if (options.migrationUrl) {
    await withPool(supported, (pool) => checkSession(pool, 'DATABASE_URL'));
  }
  return { connection: supported, migrations, setting };
}

async function withPool<T>(connection: PoolConfig, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ ...connection, max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Some poolers reject session settings. Then only the client enforces the statement timeout. */
async function supportsTimeout(pool: Pool, retry: ConnectOptions): Promise<boolean> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    if (/unsupported startup parameter/.test(reasonOf(error))) return false;
    await waitFor(pool, 'DATABASE_URL', retry);
  }
  return true;
}

async function waitFor(
  pool: Pool,
  setting: string,
  { connectTimeoutMs, onRetry }: ConnectOptions,
): Promise<void> {
  const deadline = Date.now() + connectTimeoutMs;
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      if (!isOutage(error)) throw diagnose(setting, error);
      const reason = reasonOf(error);
      if (Date.now() >= deadline)
        throw configurationError(setting, `the server cannot be reached: ${reason}`);
      onRetry(reason);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
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
  if (!found) throw configurationError(setting, 'the server does not tell its version');
  const { server, version, available, installed } = found;
  const failure = (reason: string, hint: string) => configurationError(setting, reason, hint);
  if (server < MIN_SERVER_VERSION * 10_000) {
    throw failure(`PostgreSQL ${version} is too old`, `${MIN_SERVER_VERSION} or newer is needed`);
  }
  if (!available) {
    throw failure(
      'the server has no pgvector',
      'install it (https://github.com/pgvector/pgvector)',
    );
  }
  if (isOlder(available)) {
    const hint = `install ${MIN_PGVECTOR_VERSION.join('.')} or newer`;
    throw failure(`pgvector ${available} is too old`, hint);
  }
  if (installed && isOlder(installed)) {
    throw failure(`pgvector ${installed} is too old`, 'run ALTER EXTENSION vector UPDATE');
  }
  if (!installed) await createExtension(pool, setting);
}

/** A pooler in transaction mode would lose what the gateway sets itself. */
async function checkSession(pool: Pool, setting: string): Promise<void> {
  for (const { name, expected, value } of SESSION) {
    const { rows } = await pool.query<{ found: string }>('SELECT current_setting($1) AS found', [
      name,
    ]);
    const found = rows[0]?.found ?? '';
    if (expected.test(found)) continue;
    const hint = `run ALTER ROLE CURRENT_USER SET ${name} = '${value}'`;
    throw configurationError(setting, `its user has ${name} = '${found}'`, hint);
  }
}

/** Takes the migration lock: if two gateways created the extension concurrently, one would fail. */
async function createExtension(pool: Pool, setting: string): Promise<void> {
  try {
    await pool.query(
      `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); CREATE EXTENSION IF NOT EXISTS vector`,
    );
  } catch (error) {
    const reason = `pgvector is not in this database (${reasonOf(error)})`;
    // Often not its owner: PostgreSQL allows it to others only if pgvector is installed as trusted.
    throw configurationError(setting, reason, 'let a superuser run CREATE EXTENSION vector in it');
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = MIN_PGVECTOR_VERSION;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
