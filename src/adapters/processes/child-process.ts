import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';

/** A process of ours. */
export interface Child {
  process: ChildProcess;
  ended: Promise<Ending>;
}

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of what it wrote to standard error, in one line. */
  said: string;
}

/** In characters. */
const MOST_SAID = 1000;

/**
 * Starts a module as a process that is told nothing of the settings, and so no secret. It is
 * to call `endWithParent`.
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
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_SAID);
  });
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  const end = (code: number | null, signal: NodeJS.Signals | null) =>
    resolve({ code, signal, said: said.trim().replace(/\s+/g, ' ') });
  child.on('close', end);
  // A process that could not be started has no other end; of any other this is not the last event.
  child.on('error', (error) => {
    said += error.message;
    if (child.pid === undefined) end(null, null);
  });
  return { process: child, ended };
}

/** How a process ended, in words that follow "it ended". */
export function describeEnding({ code, signal, said }: Ending): string {
  return `${signal ? `by ${signal}` : `with ${code}`}${said ? `: ${said}` : ''}`;
}
