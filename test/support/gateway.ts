import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { inject } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type App, createApp } from '../../src/runtime/app.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { Dependencies } from '../../src/use-cases/dependencies.ts';
import { newDatabase } from './databases.ts';
import { createFaults } from './faults.ts';
import { startStoredCopies } from './stored-copies.ts';

/** A gateway of its own on an empty database. */
export interface TestGateway extends App {
  dataDir: string;
  /** The environment variables that lead a process to the same database and stored copies. */
  settings: Record<string, string>;
  /** How to ask its database beside it. */
  connection: PoolConfig;
  /** The paths of all stored copies. */
  storedPaths(): Promise<string[]>;
  /** As a browser would: with nothing but a `permanentUrl`. */
  download(permanentUrl: string, init?: RequestInit): Promise<Response>;
}

/** The faults of the gateway that files share; they are mended when a file closes it. */
export const faults = createFaults();

let shared: Promise<TestGateway> | undefined;

/**
 * The gateway of all files of this worker that need no settings of their own: customers keep their
 * tests apart. It ends with the worker.
 */
export async function shareGateway(): Promise<TestGateway> {
  shared ??= startGateway({}, faults.refit);
  return { ...(await shared), close: async () => faults.mend() };
}

const PUBLIC_URL = 'http://filequery.test';

/**
 * @param settings environment variables on top of the defaults
 * @param refit puts faults between use-cases and adapters
 */
export async function startGateway(
  settings: Record<string, string> = {},
  refit?: (deps: Dependencies) => Dependencies,
): Promise<TestGateway> {
  const dataDir = await mkdtemp(join(inject('folder'), 'gateway-'));
  const database = await newDatabase(dataDir);
  const copies = await startStoredCopies(dataDir);
  const backEnds = { DATA_DIR: dataDir, ...database.settings, ...copies.settings };
  const app = await createApp(
    readConfig({ PUBLIC_URL, ...backEnds, ...settings }),
    createLog('silent'),
    refit,
  );
  return {
    ...app,
    dataDir,
    settings: backEnds,
    connection: database.connection,
    storedPaths: copies.paths,
    async download(permanentUrl, init) {
      const isOurs = permanentUrl.startsWith(PUBLIC_URL);
      return isOurs ? app.fetch(new Request(permanentUrl, init)) : fetch(permanentUrl, init);
    },
    async close() {
      await app.close();
      await database.remove();
      await copies.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
