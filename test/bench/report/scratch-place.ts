import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type PoolConfig } from 'pg';
import { socketDirectoryOf } from '../../../src/adapters/postgres/embedded-postgres.ts';
import { readConfig } from '../../../src/config/config.ts';

/** Where a gateway of its own can live. */
export interface ScratchPlace {
  /** The database, for people. */
  kind: 'embedded' | 'PostgreSQL';
  /** The environment variables that lead there. */
  settings: Record<string, string>;
  /** How to ask the database while it is open. */
  connection: PoolConfig;
  remove(): Promise<void>;
}

/** A data folder and a database: on the server of DATABASE_URL when there is one, else embedded. */
export async function createScratchPlace(): Promise<ScratchPlace> {
  // A secret of its own: what it signs ends with it.
  const tokenSecret = randomBytes(32).toString('hex');
  const { database } = readConfig({ ...process.env, TOKEN_SECRET: tokenSecret });
  const dataDir = await mkdtemp(join(tmpdir(), 'filequery-bench-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  if (database.kind !== 'server') {
    return {
      kind: 'embedded',
      settings: { DATA_DIR: dataDir },
      connection: { host: socketDirectoryOf(dataDir), user: 'postgres', database: 'postgres' },
      remove: removeFolder,
    };
  }
  const name = `filequery_bench_${randomBytes(6).toString('hex')}`;
  const server = new Pool({ connectionString: database.url, max: 1 });
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  return {
    kind: 'PostgreSQL',
    settings: { DATA_DIR: dataDir, DATABASE_URL: url.href, TOKEN_SECRET: tokenSecret },
    connection: { connectionString: url.href },
    async remove() {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
      await removeFolder();
    },
  };
}
