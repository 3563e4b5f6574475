import { connect } from 'node:net';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool, PoolConfig } from 'pg';
import { ConfigurationError } from '../../core/errors.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { Query } from '../../ports/query.ts';
import { readIsDistributed } from './citus.ts';
import type { ServerOptions } from './connections.ts';
import { createPool } from './create-pool.ts';
import { lockDataFolder } from './data-folder.ts';
import {
  type EmbeddedPostgres,
  SOCKET_NAME,
  SOCKET_PORT,
  socketDirectoryOf,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { keepVacuumed } from './embedded-vacuum.ts';
import { migrate } from './migrate.ts';
import { createQuery } from './query.ts';
import { type CheckedServer, type ConnectOptions, connectToServer } from './server-connection.ts';

/** A PostgreSQL server or an embedded database: one pool, which Prisma uses as well. */
export interface Database {
  pool: Pool;
  query: Query;
  prisma: PrismaClient;
  /** Whether its tables are distributed over servers (Citus). */
  isDistributed: boolean;
  /** How to connect without a pooler in between, if a setting says how. */
  direct: PoolConfig;
  /** Resolves if an embedded database has ended and is not restarted. */
  lost: Promise<ConfigurationError>;
  close(): Promise<void>;
}

export type DatabaseOptions =
  /** In memory. Its data is lost when it is closed. */
  | { kind: 'memory' }
  /** In a folder. With `share`, connects to the process that already uses the folder, if any. */
  | { kind: 'embedded'; dataDir: string; share: boolean }
  | ({ kind: 'server' } & ServerOptions);

export interface OpenOptions extends ConnectOptions {
  /** Called when the process of an embedded database has been started, which takes some time to be ready. */
  onStarting: () => void;
  /** Called with the reason each time the embedded database is restarted. */
  onRestart: (reason: string) => void;
  /** Called with the names of migrations whose SQL was changed after they had been applied. */
  onEditedMigrations: (names: string[]) => void;
}

const DEFAULTS: OpenOptions = {
  connectTimeoutMs: 0,
  onRetry: () => {},
  onStarting: () => {},
  onRestart: () => {},
  onEditedMigrations: () => {},
};

/**
 * Opens the database and applies pending migrations.
 *
 * @throws ConfigurationError when the database is unavailable or unsuitable
 */
export async function openDatabase(
  options: DatabaseOptions,
  open: OpenOptions = DEFAULTS,
): Promise<Database> {
  const { connection, migrations, setting, hasAutovacuum, lost, close } = await connectTo(
    options,
    open,
  );
  await migrate(migrations, setting, open.onEditedMigrations).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  const pool = createPool(connection);
  const isDistributed = options.kind === 'server' && (await readIsDistributed(pool));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const stopVacuuming = hasAutovacuum ? async () => {} : keepVacuumed(pool);
  return {
    pool,
    // All connections share one session of the embedded database: statement names would collide.
    query: createQuery(pool, { prepared: options.kind === 'server' }),
    prisma,
    isDistributed,
    direct: migrations,
    lost,
    async close() {
      await stopVacuuming();
      await prisma.$disconnect();
      await pool.end();
      await close();
    },
  };
}

interface Connected extends CheckedServer, Pick<Database, 'lost' | 'close'> {
  /** Whether something else vacuums its tables. */
  hasAutovacuum: boolean;
}

async function connectTo(options: DatabaseOptions, open: OpenOptions): Promise<Connected> {
  switch (options.kind) {
    case 'server':
      return { ...(await connectToServer(options, open)), ...MANAGED_ELSEWHERE };
    case 'memory':
      return managed(await startEmbeddedPostgres({ onStarting: open.onStarting }));
    case 'embedded':
      return connectToFolder(options, open);
  }
}

async function connectToFolder(
  { dataDir, share }: { dataDir: string; share: boolean },
  { onStarting, onRestart }: OpenOptions,
): Promise<Connected> {
  const release = await lockDataFolder(dataDir);
  if (release) {
    try {
      return managed(await startEmbeddedPostgres({ dataDir, onStarting, onRestart }), release);
    } catch (error) {
      release();
      throw error;
    }
  }
  if (!share) throw inUse(dataDir);
  const socketDirectory = socketDirectoryOf(dataDir);
  await waitForSocket(socketDirectory, dataDir);
  return { ...embedded(socketDirectory), ...MANAGED_ELSEWHERE };
}

/** For a database that another process runs. */
const MANAGED_ELSEWHERE = {
  hasAutovacuum: true,
  lost: new Promise<never>(() => {}),
  close: async () => {},
};

/** An embedded database that this process runs. */
function managed(
  { socketDirectory, lost, close }: EmbeddedPostgres,
  release = () => {},
): Connected {
  return {
    ...embedded(socketDirectory),
    hasAutovacuum: false,
    lost,
    async close() {
      await close();
      release();
    },
  };
}

/** Waits until the process that uses the folder, which may be starting, accepts connections. */
async function waitForSocket(socketDirectory: string, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const connected = await new Promise<boolean>((resolve) => {
      const socket = connect(join(socketDirectory, SOCKET_NAME));
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw inUse(dataDir);
}

function embedded(socketDirectory: string): CheckedServer {
  const connection: PoolConfig = {
    host: socketDirectory,
    user: 'postgres',
    database: 'postgres',
    max: 10,
    // Otherwise `pg` takes the variables of psql, such as PGPORT, which are for other servers.
    port: SOCKET_PORT,
    ssl: false,
    sslnegotiation: 'postgres',
  };
  return { connection, migrations: connection, setting: 'DATA_DIR' };
}

function inUse(dataDir: string): ConfigurationError {
  return new ConfigurationError(
    `DATA_DIR: ${dataDir} is in use by another filequery process; end that one, or choose another folder`,
  );
}
