import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the worker is told. */
export interface EmbeddedPostgresData {
  dataDir: string;
  socketPath: string;
}

/** A running embedded PostgreSQL: `socketDirectory` is what libpq and `pg` call the host. */
export interface EmbeddedPostgres {
  socketDirectory: string;
  close(): Promise<void>;
}

const SOCKET_NAME = '.s.PGSQL.5432';
/** The shortest limit of the systems we run on (macOS: 104 bytes with the closing NUL). */
const LONGEST_SOCKET_PATH = 103;

/**
 * Starts PostgreSQL in WASM (PGlite with pgvector) in a worker thread.
 *
 * @param dataDir the folder that holds it, or `undefined` to hold it in memory
 */
export async function startEmbeddedPostgres(dataDir?: string): Promise<EmbeddedPostgres> {
  const socketDirectory = dataDir
    ? await prepareSocketDirectory(dataDir)
    : await mkdtemp(join(tmpdir(), 'filequery-'));
  const socketPath = join(socketDirectory, SOCKET_NAME);
  // The caller holds the folder's lock: a socket that is there was left by a killed process.
  await rm(socketPath, { force: true });

  const complete = dataDir && join(dataDir, 'postgres.complete');
  // Without the mark, the folder is one that a killed process was still making: nothing is in it yet.
  if (dataDir && complete && !existsSync(complete)) {
    await rm(join(dataDir, 'postgres'), { recursive: true, force: true });
  }

  const data: EmbeddedPostgresData = {
    dataDir: dataDir ? join(dataDir, 'postgres') : 'memory://',
    socketPath,
  };
  const worker = new Worker(new URL('./embedded-postgres-worker.ts', import.meta.url), {
    workerData: data,
    name: 'postgres',
  });
  const exited = once(worker, 'exit');
  await Promise.race([
    once(worker, 'message'),
    exited.then(() => Promise.reject(new Error('The embedded database stopped while starting.'))),
  ]);
  if (complete) await writeFile(complete, '');

  return {
    socketDirectory,
    async close() {
      worker.postMessage('close');
      await exited;
      await rm(dataDir ? socketPath : socketDirectory, { force: true, recursive: true });
    },
  };
}

/**
 * The folder of a data folder's socket: the data folder itself or, where its path is too long for
 * a unix socket, a private one below the system's temporary folder, the same every time.
 */
export function socketDirectoryOf(dataDir: string): string {
  if (Buffer.byteLength(join(dataDir, SOCKET_NAME)) <= LONGEST_SOCKET_PATH) return dataDir;
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `filequery-${digest}`);
}

async function prepareSocketDirectory(dataDir: string): Promise<string> {
  const directory = socketDirectoryOf(dataDir);
  if (directory === dataDir) return directory;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const found = await lstat(directory);
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) {
    throw new Error(
      `${directory} belongs to somebody else: remove it or choose a shorter DATA_DIR`,
    );
  }
  await chmod(directory, 0o700);
  return directory;
}
