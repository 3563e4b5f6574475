import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../core/errors.ts';
import { describeEnding, moduleUrl, startChild } from '../processes/child-process.ts';
import { keepRunning, type Service } from './keep-running.ts';

/** What the process is told. */
export interface EmbeddedPostgresTask {
  /** PostgreSQL's own, or `memory://`. */
  dataDir: string;
  /** Files beside a `dataDir` that is a folder. */
  marks?: {
    /** Held by the one process that has `dataDir` open. */
    lock: string;
    /** There when `dataDir` holds a whole database; without it `dataDir` is made anew. */
    complete: string;
  };
  /** Where to listen. */
  socketDirectory: string;
}

/** A running embedded PostgreSQL: `socketDirectory` is what libpq and `pg` call the host. */
export interface EmbeddedPostgres {
  socketDirectory: string;
  /** Comes when it ended and is not started again; never if it does not come to that. */
  lost: Promise<ConfigurationError>;
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The folder that holds it; in memory unless given. */
  dataDir?: string;
  /** Told how it ended each time that it is started again. */
  onCrash?: (how: string) => void;
}

export const SOCKET_NAME = '.s.PGSQL.5432';
/** The shortest limit of the systems we run on (macOS: 104 bytes with the closing NUL). */
const LONGEST_SOCKET_PATH = 103;
/** Ends within a minute, of which the last is the end of it. */
const MOST_ENDS = 3;
/**
 * Without V8's optimizing compiler a database takes 22 MB less where it waits for work, and 540 at
 * the peak while it compiles, but scans take twice as long: not worth it for one that serves a folder.
 */
const NOT_OPTIMIZED = ['--liftoff-only'];

/**
 * Starts PostgreSQL in WASM (PGlite with pgvector) in a process of its own, and starts it again
 * when it ends by itself. What is in memory is lost with its process, so that is not started again.
 *
 * @throws ConfigurationError when it does not start
 */
export async function startEmbeddedPostgres({
  dataDir,
  onCrash = () => {},
}: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const socketDirectory = dataDir
    ? await prepareSocketDirectory(dataDir)
    : await mkdtemp(join(tmpdir(), 'filequery-'));
  const task = { ...(dataDir ? inFolder(dataDir) : { dataDir: 'memory://' }), socketDirectory };
  const kept = await keepRunning(() => startService(task, dataDir ? [] : NOT_OPTIMIZED), {
    mostEnds: dataDir ? MOST_ENDS : 1,
    onEnd: onCrash,
  }).catch(refuse);
  return {
    socketDirectory,
    lost: kept.lost.then((how) => lossOf(dataDir, how)),
    async close() {
      await kept.close();
      const left = dataDir ? join(socketDirectory, SOCKET_NAME) : socketDirectory;
      await rm(left, { force: true, recursive: true });
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
    // A process that has just ended by itself hears nothing any more.
    close: () => child.send('end', () => {}),
  };
}

function refuse(error: Error): never {
  throw new ConfigurationError(
    `DATA_DIR: the embedded database ended while it started, ${error.message}`,
  );
}

function lossOf(dataDir: string | undefined, how: string): ConfigurationError {
  return new ConfigurationError(
    dataDir
      ? `DATA_DIR: the embedded database ended ${MOST_ENDS} times within a minute, at last ${how}`
      : `DATA_DIR: the embedded database ended, and with it what it held in memory, ${how}`,
  );
}
