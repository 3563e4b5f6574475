import './compile-cache.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/adapters/postgres/database.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { distributeTemplate, onWorkers } from './citus.ts';
import { newServerDatabase, SERVER_URL, WORKER_URLS } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where gateways have their folders; it is removed at the end. */
    folder: string;
    /** A data folder with an empty, migrated database: copying it is quicker than making one. */
    emptyDataDir: string;
    /** The name of such a database on the server of TEST_DATABASE_URL; empty without one. */
    emptyDatabase: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'filequery-tests-'));
  project.provide('folder', folder);
  const dataDir = join(folder, 'empty');
  const database = await openDatabase({ kind: 'embedded', dataDir, share: false });
  await database.close();
  project.provide('emptyDataDir', dataDir);

  const served = SERVER_URL ? await newServerDatabase(SERVER_URL) : undefined;
  if (SERVER_URL && served && WORKER_URLS.length > 0)
    await distributeTemplate(SERVER_URL, served.name);
  else if (served) await migrate(served.connection, 'TEST_DATABASE_URL');
  project.provide('emptyDatabase', served?.name ?? '');
  return async () => {
    await served?.remove();
    if (served) await onWorkers(`DROP DATABASE ${served.name}`);
    await rm(folder, { recursive: true, force: true });
  };
}
