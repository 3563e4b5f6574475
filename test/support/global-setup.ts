import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/adapters/database/database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with an empty, migrated database: copying it is quicker than making one. */
    emptyDataDir: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filequery-empty-'));
  const database = await openDatabase({ kind: 'embedded', dataDir, share: false });
  await database.close();
  project.provide('emptyDataDir', dataDir);
  return () => rm(dataDir, { recursive: true, force: true });
}
