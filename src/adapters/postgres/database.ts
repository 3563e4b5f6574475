import { connect } from 'node:net';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { ConfigurationError } from '../../core/errors.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { Query } from '../../ports/query.ts';
import type { ServerOptions } from './connections.ts';
import { createPool } from './create-pool.ts';
import { lockDataFolder } from './data-folder.ts';
import {
  type EmbeddedPostgres,
  SOCKET_NAME,
  socketDirectoryOf,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { keepVacuumed } from './embedded-vacuum.ts';
import { migrate } from './migrate.ts';
import { createQuery } from './query.ts';
import { type ReachedServer, reachServer, type Wait } from './server-postgres.ts';

/** PostgreSQL, ours or anybody's: one pool, and Prisma on the same pool. */
export interface Database {
  pool: Pool;
  query: Query;
  prisma: PrismaClient;
  /** Comes when an embedded database is gone for good; never if it does not come to that. */
  lost: Promise<ConfigurationError>;
  close(): Promise<void>;
}

export type DatabaseOptions =
  /** In memory, gone at the end. */
  | { kind: 'memory' }
  /** In a folder. `share` joins the process that holds the folder, should there be one. */
  | { kind: 'embedded'; dataDir: string; share: boolean }
  | ({ kind: 'server' } & ServerOptions);

/** What to do about a database that is away, or not as it should be. */
export interface Watch extends Wait {
  /** Told how the embedded database ended each time that it is started again. */
  onCrash: (how: string) => void;
  /** Told the names of migrations that were applied with other SQL than they have now. */
  onEdited: (migrations: string[]) => void;
}

const UNWATCHED: Watch = { patienceMs: 0, onWait: () => {}, onCrash: () => {}, onEdited: () => {} };

/**
 * Opens the database and brings its tables up to date.
 *
 * @throws ConfigurationError when it cannot be had
 */
export async function openDatabase(
  options: DatabaseOptions,
  watch: Watch = UNWATCHED,
): Promise<Database> {
  const { connection, migrations, setting, vacuums, lost, close } = await reach(options, watch);
  await migrate(migrations, setting, watch.onEdited).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  const pool = createPool(connection);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const stopVacuuming = vacuums ? async () => {} : keepVacuumed(pool);
  return {
    pool,
    // The embedded database has one session for all connections: names would collide.
    query: createQuery(pool, { prepared: options.kind === 'server' }),
    prisma,
    lost,
    async close() {
      await stopVacuuming();
      await prisma.$disconnect();
      await pool.end();
      await close();
    },
  };
}

interface Reached extends ReachedServer, Pick<Database, 'lost' | 'close'> {
  /** Whether it is vacuumed without us. */
  vacuums: boolean;
}

async function reach(options: DatabaseOptions, watch: Watch): Promise<Reached> {
  switch (options.kind) {
    case 'server':
      return { ...(await reachServer(options, watch)), ...ofOthers };
    case 'memory':
      return ofOurs(await startEmbeddedPostgres());
    case 'embedded':
      return reachFolder(options, watch);
  }
}

async function reachFolder(
  { dataDir, share }: { dataDir: string; share: boolean },
  { onCrash }: Watch,
): Promise<Reached> {
  const release = await lockDataFolder(dataDir);
  if (release) {
    try {
      return ofOurs(await startEmbeddedPostgres({ dataDir, onCrash }), release);
    } catch (error) {
      release();
      throw error;
    }
  }
  if (!share) throw inUse(dataDir);
  const socketDirectory = socketDirectoryOf(dataDir);
  await answers(socketDirectory, dataDir);
  return { ...embedded(socketDirectory), ...ofOthers };
}

/** What somebody else runs. */
const ofOthers = {
  vacuums: true,
  lost: new Promise<never>(() => {}),
  close: async () => {},
};

function ofOurs({ socketDirectory, lost, close }: EmbeddedPostgres, release = () => {}): Reached {
  return {
    ...embedded(socketDirectory),
    vacuums: false,
    lost,
    async close() {
      await close();
      release();
    },
  };
}

/** Waits for the holder of the folder, which may be starting, to answer on its socket. */
async function answers(socketDirectory: string, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect(join(socketDirectory, SOCKET_NAME));
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (reached) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw inUse(dataDir);
}

function embedded(socketDirectory: string): ReachedServer {
  const connection = { host: socketDirectory, user: 'postgres', database: 'postgres', max: 10 };
  return { connection, migrations: connection, setting: 'DATA_DIR' };
}

function inUse(dataDir: string): ConfigurationError {
  return new ConfigurationError(`DATA_DIR: ${dataDir} is in use by another filequery process`);
}
