import { Pool, type PoolConfig } from 'pg';
import { OperatorError } from '../../core/errors.ts';
import { isOutage } from './outage.ts';

/** How to reach a PostgreSQL server. */
export interface ServerOptions {
  /** For everything but migrations; may lead to a pooler in transaction mode. */
  url: string;
  /** Past the pooler, for migrations, which hold a lock of their session. `url` unless given. */
  directUrl: string | undefined;
  /** The most connections. */
  poolSize: number;
  /** A statement that takes longer is given up. */
  statementTimeoutMs: number;
  /** An unused connection is closed after this. */
  idleTimeoutMs: number;
}

const CONNECT_MS = 5000;
/** How long a start waits for a server that is starting too. */
const PATIENCE_MS = 30_000;
const OLDEST_SERVER = 15;
const OLDEST_PGVECTOR = [0, 8] as const;

/** The connections to a server, and those for its migrations. */
export function connectionsTo(options: ServerOptions): {
  connection: PoolConfig;
  migrations: PoolConfig;
} {
  const common: PoolConfig = {
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: options.idleTimeoutMs,
    keepAlive: true,
    application_name: 'filequery',
  };
  return {
    connection: {
      ...common,
      connectionString: options.url,
      max: options.poolSize,
      // Kept by the client: a pooler would refuse the setting of a session.
      query_timeout: options.statementTimeoutMs,
    },
    migrations: { ...common, connectionString: options.directUrl ?? options.url },
  };
}

/**
 * Waits for the server, and makes sure that it can do what is asked of it.
 *
 * @throws OperatorError that says what to do
 */
export async function checkServer(
  migrations: PoolConfig,
  onWait: (reason: string) => void,
): Promise<void> {
  const pool = new Pool({ ...migrations, max: 1 });
  try {
    await waitFor(pool, onWait);
    await checkVersions(pool);
  } finally {
    await pool.end();
  }
}

async function waitFor(pool: Pool, onWait: (reason: string) => void): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!isOutage(error)) throw refuse(reason);
      if (Date.now() > end) throw refuse(`the server cannot be reached: ${reason}`);
      onWait(reason);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function checkVersions(pool: Pool): Promise<void> {
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
  if (!found) throw refuse('the server does not tell its version');
  const { server, version, available, installed } = found;
  if (server < OLDEST_SERVER * 10_000) {
    throw refuse(`PostgreSQL ${version} is too old: ${OLDEST_SERVER} or newer is needed`);
  }
  if (!available) {
    throw refuse('the server has no pgvector: install it (https://github.com/pgvector/pgvector)');
  }
  if (isOlder(available)) {
    throw refuse(`pgvector ${available} is too old: install ${OLDEST_PGVECTOR.join('.')} or newer`);
  }
  if (installed && isOlder(installed)) {
    throw refuse(`pgvector ${installed} is too old: run ALTER EXTENSION vector UPDATE`);
  }
  if (!installed) await createExtension(pool);
}

async function createExtension(pool: Pool): Promise<void> {
  try {
    await pool.query('CREATE EXTENSION IF NOT EXISTS vector');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(
      `pgvector is not in this database (${reason}): let its owner run CREATE EXTENSION vector`,
    );
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = OLDEST_PGVECTOR;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

function refuse(reason: string): OperatorError {
  return new OperatorError(`DATABASE_URL: ${reason}`);
}
