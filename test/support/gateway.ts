import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool, PoolConfig } from 'pg';
import { inject } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type App, createApp } from '../../src/runtime/create-app.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { Dependencies } from '../../src/use-cases/dependencies.ts';
import { newDatabase, settingsFor, type TestDatabase } from './databases.ts';
import { extractor } from './extractor.ts';
import { createFaults } from './faults.ts';
import { reuseDatabase } from './reused-databases.ts';
import { startStoredCopies } from './stored-copies.ts';

/** Where a gateway has its data. */
interface Place {
  dataDir: string;
  /** The environment variables that lead a process to the same database and stored copies. */
  settings: Record<string, string>;
  /** How to ask its database beside it. */
  connection: PoolConfig;
  /** The paths of all stored copies. */
  storedPaths(): Promise<string[]>;
}

/** A gateway of a test. */
export interface TestGateway extends App, Place {
  /** As a browser would: with nothing but a `permanentUrl`. */
  download(permanentUrl: string, init?: RequestInit): Promise<Response>;
}

/** The faults of the gateway that files share; they are mended when a file closes it. */
export const faults = createFaults();

let shared: Promise<TestGateway> | undefined;
let sharedConnection: PoolConfig | undefined;

/**
 * The gateway of all files of this worker that need no settings of their own: customers keep their
 * tests apart. It ends with the worker.
 */
export async function shareGateway(): Promise<TestGateway> {
  shared ??= startInFolder(newDatabase, {}, faults.override);
  const gateway = await shared;
  sharedConnection = gateway.connection;
  return { ...gateway, close: async () => faults.mend() };
}

/** Whether a pool leads to the database of that gateway. */
export function isShared({ options: { host, connectionString } }: Pool): boolean {
  return (
    sharedConnection !== undefined &&
    host === sharedConnection.host &&
    connectionString === sharedConnection.connectionString
  );
}

const PUBLIC_URL = 'http://filequery.test';

type Override = (deps: Dependencies) => Dependencies;

/**
 * A gateway with settings of its own beside the shared one, on the same database and stored copies.
 *
 * @param settings environment variables on top of the defaults
 * @param override puts faults between use-cases and adapters
 */
export async function startBeside(
  settings: Record<string, string> = {},
  override?: Override,
): Promise<TestGateway> {
  const place = await shareGateway();
  const beside = { ...place, settings: { ...place.settings, ...settingsFor(place.connection) } };
  return startOn(beside, settings, override);
}

/** A gateway with a database of its own, of which a test may count everything. */
export function startGateway(
  settings: Record<string, string> = {},
  override?: Override,
): Promise<TestGateway> {
  return startInFolder(reuseDatabase, settings, override);
}

async function startInFolder(
  openDatabase: (dataDir: string) => Promise<TestDatabase>,
  settings: Record<string, string>,
  override?: Override,
): Promise<TestGateway> {
  const dataDir = await mkdtemp(join(inject('folder'), 'gateway-'));
  const database = await openDatabase(dataDir);
  const copies = await startStoredCopies(dataDir);
  const place = {
    dataDir,
    settings: { DATA_DIR: dataDir, ...database.settings, ...copies.settings },
    connection: database.connection,
    storedPaths: copies.paths,
  };
  const gateway = await startOn(place, settings, override);
  return {
    ...gateway,
    async close() {
      await gateway.close();
      await database.remove();
      await copies.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A gateway beside another, on its database and its stored copies. */
export async function startOn(
  { dataDir, settings: backEnds, connection, storedPaths }: Place,
  settings: Record<string, string> = {},
  override: Override = (deps) => deps,
): Promise<TestGateway> {
  const app = await createApp(
    readConfig({ PUBLIC_URL, ...backEnds, ...settings }),
    createLog('silent'),
    (deps) => override({ ...deps, extractor }),
  );
  return {
    ...app,
    dataDir,
    settings: backEnds,
    connection,
    storedPaths,
    async download(permanentUrl, init) {
      const isOurs = permanentUrl.startsWith(PUBLIC_URL);
      return isOurs ? app.fetch(new Request(permanentUrl, init)) : fetch(permanentUrl, init);
    },
  };
}
