import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/postgres/embedded-postgres.ts';
import { ask, newServerDatabase, SERVER_URL, settingsFor, type TestDatabase } from './databases.ts';
import { copyEmptyDatabase } from './empty-database.ts';

/** The embedded databases of this worker that no test uses now. They end with the worker. */
const unused: PoolConfig[] = [];

/**
 * An empty database with its tables, for one test at a time. An embedded one is emptied for the next
 * test of this worker, which takes a fifth of the CPU time of starting another: a test must not
 * change the definitions of its tables.
 */
export async function reuseDatabase(): Promise<TestDatabase> {
  if (SERVER_URL) return newServerDatabase(SERVER_URL, inject('emptyDatabase'));
  const left = unused.pop();
  // Now and not when it was given back: what a gateway was still doing then is over.
  if (left) await emptyTables(left);
  const connection = left ?? (await startEmbedded());
  return {
    settings: settingsFor(connection),
    connection,
    async remove() {
      unused.push(connection);
    },
  };
}

async function startEmbedded(): Promise<PoolConfig> {
  const dataDir = await mkdtemp(join(inject('folder'), 'database-'));
  await copyEmptyDatabase(dataDir);
  const { socketDirectory } = await startEmbeddedPostgres({ dataDir });
  return { host: socketDirectory, user: 'postgres', database: 'postgres' };
}

async function emptyTables(connection: PoolConfig): Promise<void> {
  const [{ names } = { names: '' }] = await ask<{ names: string }>(
    connection,
    `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  await ask(connection, `TRUNCATE ${names} RESTART IDENTITY`);
}
