import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';

/** A child process. */
export interface Child {
  process: ChildProcess;
  ended: Promise<Ending>;
}

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of its standard error, in one line, without native stack frames. */
  stderr: string;
}

/** In characters, as they arrive. A native stack trace of V8 can have thousands of them. */
const MAX_RECEIVED = 100_000;
/** In characters, of an `Ending`. */
const MAX_STDERR = 1000;
/** A line of a native stack trace: addresses, which mean nothing to a reader. */
const STACK_FRAME = /^ *\d+: 0x[\da-f]+.*$/gm;

/**
 * Starts a module as a process without the settings, so that it has no secrets. The module must call
 * `endWithParent`.
 *
 * @param execArgv options of Node and of V8
 */
export function startChild(
  module: URL,
  { args = [], execArgv }: { args?: string[]; execArgv: string[] },
): Child {
  const cache = getCompileCacheDir();
  const child = fork(module, args, {
    env: cache ? { NODE_COMPILE_CACHE: cache } : {},
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_RECEIVED);
  });
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  const end = (code: number | null, signal: NodeJS.Signals | null) =>
    resolve({ code, signal, stderr: inOneLine(stderr).slice(-MAX_STDERR) });
  child.on('close', end);
  // A process that could not be started has no close event.
  child.on('error', (error) => {
    stderr += error.message;
    if (child.pid === undefined) end(null, null);
  });
  return { process: child, ended };
}

function inOneLine(stderr: string): string {
  return stderr.replace(STACK_FRAME, '').trim().replace(/\s+/g, ' ');
}

/**
 * The URL of a module in the same folder, for starting a process or a thread with it. TypeScript
 * rewrites extensions in imports only, and this one is `.ts` in `src` and `.js` in `dist`.
 *
 * @param name the file name without its extension
 * @param from `import.meta.url` of the caller
 */
export function moduleUrl(name: string, from: string): URL {
  return new URL(`./${name}${extname(from)}`, from);
}

/** Describes how a process ended, to follow "it ended". */
export function describeEnding({ code, signal, stderr }: Ending): string {
  return `${signal ? `by ${signal}` : `with ${code}`}${stderr ? `: ${stderr}` : ''}`;
}
