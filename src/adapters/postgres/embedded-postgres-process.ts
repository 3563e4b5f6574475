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

/* The entry point of the process that runs the embedded PostgreSQL. It ends on any message. */

/** After a gateway was killed, its database may take this long to finish the last statement. */
const LOCK_TIMEOUT_MS = 60_000;
/** The default is 128 MB, all of which is resident from the start. This saves 130 MB of memory. */
const SETTINGS = ['-c', 'shared_buffers=32MB'];

endWithParent();
const endRequested = once(process, 'message');
try {
  await run(JSON.parse(process.argv[2] ?? ''));
  process.exit(0);
} catch (error) {
  process.stderr.write(isDiskFull(error) ? 'there is no room left' : reasonOf(error));
  process.exit(1);
}

/** Errors of the WASM file system are not instances of `Error`, and have their own error numbers. */
function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return ('errno' in error && error.errno === 51) || ('code' in error && error.code === 'ENOSPC');
}

async function run({ dataDir, marks, socketDirectory }: EmbeddedPostgresTask): Promise<void> {
  const release = marks && (await waitForLock(marks.lock));
  const database = marks
    ? await openFolder(dataDir, marks.complete)
    : await createDatabase(dataDir);
  await serve(database, socketDirectory);
  await database.close();
  release?.();
}

async function openFolder(dataDir: string, complete: string): Promise<PGlite> {
  if (existsSync(complete)) return open({ dataDir });
  // Without the mark, the folder was left behind by a process that ended before it was complete.
  await rm(dataDir, { recursive: true, force: true });
  const database = await createDatabase(dataDir);
  await writeFile(complete, '');
  return database;
}

async function createDatabase(dataDir: string): Promise<PGlite> {
  return open({ dataDir, loadDataDir: await readEmptyDatabase() });
}

function open(options: { dataDir: string; loadDataDir?: Blob | undefined }): Promise<PGlite> {
  return PGlite.create({
    ...options,
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, ...SETTINGS],
  });
}

/** If a gateway was killed, its database holds the lock until the running statement ends. */
async function waitForLock(path: string): Promise<() => void> {
  for (const end = Date.now() + LOCK_TIMEOUT_MS; Date.now() < end; await pause(20)) {
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
  // Replaces the socket of a killed process atomically: there is one at any time.
  await rename(socket, join(directory, SOCKET_NAME));
  process.send?.('ready');
  await endRequested;
  await close();
}
