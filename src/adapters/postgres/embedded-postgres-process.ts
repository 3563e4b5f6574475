import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { reasonOf } from '../../core/reason-of.ts';
import { endWithParent } from '../processes/end-with-parent.ts';
import { takeLock } from './data-folder.ts';
import { type EmbeddedPostgresTask, SOCKET_NAME } from './embedded-postgres.ts';
import { readEmptyDatabase } from './empty-database.ts';
import { createWireServer } from './wire-server.ts';

/* What the process of the embedded PostgreSQL does. Any message tells it to end. */

/** Milliseconds in which what served a gateway that was killed ends its last statement. */
const ORPHAN_MS = 60_000;
/** PostgreSQL has 128 MB unless told, and all of it is in memory from the start: this saves 130 MB. */
const SETTINGS = ['-c', 'shared_buffers=32MB'];

endWithParent();
const told = once(process, 'message');
try {
  await run(JSON.parse(process.argv[2] ?? ''));
  process.exit(0);
} catch (error) {
  process.stderr.write(isDiskFull(error) ? 'there is no room left' : reasonOf(error));
  process.exit(1);
}

/** Of WASM's file system, errors are no `Error`s, and their numbers are its own. */
function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return ('errno' in error && error.errno === 51) || ('code' in error && error.code === 'ENOSPC');
}

async function run({ dataDir, marks, socketDirectory }: EmbeddedPostgresTask): Promise<void> {
  const release = marks && (await waitForLock(marks.lock));
  const database = marks ? await openFolder(dataDir, marks.complete) : await makeDatabase(dataDir);
  await serve(database, socketDirectory);
  await database.close();
  release?.();
}

async function openFolder(dataDir: string, complete: string): Promise<PGlite> {
  if (existsSync(complete)) return open({ dataDir });
  // Without the mark, what is there was left by a process that ended while it made the database.
  await rm(dataDir, { recursive: true, force: true });
  const database = await makeDatabase(dataDir);
  await writeFile(complete, '');
  return database;
}

async function makeDatabase(dataDir: string): Promise<PGlite> {
  return open({ dataDir, loadDataDir: await readEmptyDatabase() });
}

function open(options: { dataDir: string; loadDataDir?: Blob | undefined }): Promise<PGlite> {
  return PGlite.create({
    ...options,
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, ...SETTINGS],
  });
}

/** The lock outlives a gateway that was killed for as long as its database works on a statement. */
async function waitForLock(path: string): Promise<() => void> {
  for (const end = Date.now() + ORPHAN_MS; Date.now() < end; await pause(20)) {
    const release = await takeLock(path);
    if (release) return release;
  }
  throw new Error(`${path} is held by another process`);
}

async function serve(database: PGlite, directory: string): Promise<void> {
  const { server, close } = createWireServer(database);
  const socket = join(directory, '.s.new');
  await rm(socket, { force: true });
  server.listen(socket);
  await once(server, 'listening');
  // It takes the place of one that a killed process left, with no moment at which there is none.
  await rename(socket, join(directory, SOCKET_NAME));
  process.send?.('ready');
  await told;
  await close();
}
