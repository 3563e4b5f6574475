import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Database, openDatabase } from '../../../src/adapters/database/database.ts';
import { readConfig } from '../../../src/config.ts';

/** A database of its own, gone at the end: on the server of DATABASE_URL when there is one, else embedded. */
export async function openScratchDatabase(): Promise<Database & { kind: string }> {
  const { database } = readConfig();
  if (database.kind !== 'server') {
    const dataDir = await mkdtemp(join(tmpdir(), 'filequery-bench-'));
    const opened = await openDatabase({ kind: 'embedded', dataDir, share: false });
    return closing(opened, 'embedded', () => rm(dataDir, { recursive: true, force: true }));
  }
  const name = `filequery_bench_${process.pid}`;
  const server = new Pool({ connectionString: database.url, max: 1 });
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const opened = await openDatabase({ ...database, url: url.href, directUrl: undefined });
  return closing(opened, 'PostgreSQL', async () => {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  });
}

function closing(database: Database, kind: string, remove: () => Promise<void>) {
  return {
    ...database,
    kind,
    async close() {
      await database.close();
      await remove();
    },
  };
}
