import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { Dependencies } from '../../src/use-cases/dependencies.ts';

/** A gateway of its own on an empty database. */
export interface TestGateway extends App {
  dataDir: string;
}

/**
 * @param settings environment variables on top of the defaults
 * @param refit puts faults between use-cases and adapters
 */
export async function startGateway(
  settings: Record<string, string> = {},
  refit?: (deps: Dependencies) => Dependencies,
): Promise<TestGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  await cp(inject('emptyDataDir'), dataDir, { recursive: true });
  const app = await createApp(
    readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'http://filequery.test', ...settings }),
    createLog('silent'),
    refit,
  );
  return {
    ...app,
    dataDir,
    async close() {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
