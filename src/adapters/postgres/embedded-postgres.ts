import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../core/errors.ts';
import { describeEnding, moduleUrl, startChild } from '../processes/child-process.ts';
import { type Service, supervise } from './supervise.ts';

/** The options of the process. */
export interface EmbeddedPostgresTask {
  /** PostgreSQL's data directory, or `memory://`. */
  dataDir: string;
  /** Files beside `dataDir`, if it is a folder. */
  marks?: {
    /** Locked by the process that uses `dataDir`. */
    lock: string;
    /** Exists once the database is complete. Without it, `dataDir` is deleted and created again. */
    complete: string;
  };
  /** Where to listen. */
  socketDirectory: string;
}

/** A running embedded PostgreSQL: `socketDirectory` is what libpq and `pg` call the host. */
export interface EmbeddedPostgres {
  socketDirectory: string;
  /** Resolves if it has ended and is not restarted. */
  lost: Promise<ConfigurationError>;
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The data folder. Default: in memory. */
  dataDir?: string;
  /** Called when its process has been started, which takes some time to be ready. */
  onStarting?: () => void;
  /** Called with the reason before each restart. */
  onRestart?: (reason: string) => void;
}

export const SOCKET_PORT = 5432;
export const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** In bytes. The lowest limit of all supported systems: 104 with the final NUL, on macOS. */
const MAX_SOCKET_PATH = 103;
/** Unexpected ends within a minute after which the database is not restarted. */
const MAX_ENDS = 3;
/**
 * Without V8's optimizing compiler a database uses 22 MB less when idle and 540 MB less at its peak
 * during compilation, but scans take twice as long. Used only for databases in memory, and when this
 * process runs without it, too.
 */
const BASELINE_COMPILER = '--liftoff-only';
/**
 * V8 optimizes a function after ten times as much work as by default. The code of a start and a stop is
 * then not optimized, which would take a fifth of their CPU time; the code of searches still is.
 */
const LATER_OPTIMIZATION = '--wasm-tiering-budget=130000000';
/**
 * In MB. Allocations of the process live as long as a message: with the larger default, garbage is
 * collected less often, but in pauses of some milliseconds.
 */
const SMALL_NEW_SPACE = '--max-semi-space-size=4';

/**
 * Starts PostgreSQL in WASM (PGlite with pgvector) in a separate process, and restarts it when it ends
 * unexpectedly. A database in memory is not restarted, because its data is lost.
 *
 * @throws ConfigurationError when it cannot be started
 */
export async function startEmbeddedPostgres({
  dataDir,
  onStarting = () => {},
  onRestart = () => {},
}: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const socketDirectory = dataDir
    ? await prepareSocketDirectory(dataDir)
    : await mkdtemp(join(tmpdir(), 'filequery-'));
  const task = { ...(dataDir ? inFolder(dataDir) : { dataDir: 'memory://' }), socketDirectory };
  const isBaseline = !dataDir || process.execArgv.includes(BASELINE_COMPILER);
  const starting = supervise(
    () =>
      startService(task, isBaseline ? [BASELINE_COMPILER] : [LATER_OPTIMIZATION, SMALL_NEW_SPACE]),
    {
      maxEnds: dataDir ? MAX_ENDS : 1,
      onRestart,
    },
  );
  onStarting();
  const service = await starting.catch(failToStart);
  return {
    socketDirectory,
    lost: service.lost.then((reason) => lostError(dataDir, reason)),
    async close() {
      await service.close();
      const leftover = dataDir ? join(socketDirectory, SOCKET_NAME) : socketDirectory;
      await rm(leftover, { force: true, recursive: true });
    },
  };
}

/**
 * The folder that holds the socket of a data folder: the data folder itself or, if its path is too
 * long for a Unix socket, a private temporary folder, whose name depends only on the path.
 */
export function socketDirectoryOf(dataDir: string): string {
  if (Buffer.byteLength(join(dataDir, SOCKET_NAME)) <= MAX_SOCKET_PATH) return dataDir;
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

function inFolder(dataDir: string): Omit<EmbeddedPostgresTask, 'socketDirectory'> {
  return {
    dataDir: join(dataDir, 'postgres'),
    marks: {
      lock: join(dataDir, 'postgres.lock'),
      complete: join(dataDir, 'postgres.complete'),
    },
  };
}

function startService(task: EmbeddedPostgresTask, execArgv: string[]): Service {
  const module = moduleUrl('embedded-postgres-process', import.meta.url);
  const { process: child, ended } = startChild(module, { args: [JSON.stringify(task)], execArgv });
  return {
    ready: new Promise((resolve) => child.once('message', () => resolve())),
    ended: ended.then(describeEnding),
    // A failure to send means that the process has already ended.
    close: () => child.send('end', () => {}),
  };
}

function failToStart(error: Error): never {
  throw new ConfigurationError(
    `DATA_DIR: the embedded database ended while it started, ${error.message}`,
  );
}

function lostError(dataDir: string | undefined, reason: string): ConfigurationError {
  return new ConfigurationError(
    dataDir
      ? `DATA_DIR: the embedded database ended ${MAX_ENDS} times within a minute, at last ${reason}`
      : `DATA_DIR: the embedded database ended, and with it what it held in memory, ${reason}`,
  );
}
