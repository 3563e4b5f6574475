import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyEmptyDatabase } from './empty-database.ts';
import { fetchFrom } from './fetch-from.ts';

/** How a process ended, and all that it wrote. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A process of ours that runs. */
export interface Running {
  child: ChildProcess;
  /** All that it wrote until now. */
  output(): { stdout: string; stderr: string };
  /** Waits until it wrote something; rejects when it ends first. */
  wrote(what: RegExp): Promise<RegExpExecArray>;
  ended: Promise<Ended>;
}

/**
 * For programs that work for a few seconds: without V8's optimizing compiler for WASM, their
 * databases need half the CPU time.
 */
export const FOR_A_MOMENT = '--liftoff-only';

/** Runs a file of src/ as a program, with these environment variables and no others of ours. */
export function run(file: string, args: string[], settings: Record<string, string>): Running {
  // In another folder: a developer's `.env` is not for tests.
  const cwd = import.meta.dirname;
  return runIn(cwd, process.execPath, [FOR_A_MOMENT, resolve(file), ...args], settings);
}

/** Runs a program in a folder, with these environment variables and no others of ours. */
export function runIn(
  cwd: string,
  program: string,
  args: string[],
  settings: Record<string, string> = {},
): Running {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      child.emit('wrote');
    });
  }
  const output = () => ({ ...written });
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({ code, signal, ...written }),
  );
  return {
    child,
    output,
    ended,
    async wrote(what) {
      for (;;) {
        const found = what.exec(written.stdout) ?? what.exec(written.stderr);
        if (found) return found;
        const over = await Promise.race([ended, once(child, 'wrote')]);
        if ('code' in over) throw new Error(`it ended with ${over.code}: ${over.stderr}`);
      }
    },
  };
}

/** A gateway as a process of its own. */
export interface GatewayProcess extends Running {
  url: string;
  fetch(request: Request): Promise<Response>;
}

/**
 * Starts a gateway on a data folder and waits until it says where it is.
 *
 * @param program the file of src/ and its arguments
 */
export async function startProcess(
  dataDir: string,
  settings: Record<string, string> = {},
  [file, ...args]: [string, ...string[]] = ['src/main.ts'],
): Promise<GatewayProcess> {
  const running = run(file, args, { DATA_DIR: dataDir, PORT: '0', ...settings });
  const [, url = ''] = await running.wrote(/filequery is at (http:\S+)/);
  return { ...running, url, fetch: fetchFrom(url) };
}

/** A gateway as a process with a folder of its own, which tests end and start again. */
export interface OwnGateway extends GatewayProcess {
  dataDir: string;
  /** Of the customer that the first start makes. */
  apiKey: string;
  /** Ends the process by a signal, and waits for it. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  /** Starts it anew on its folder. */
  restart(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

export async function startOwnGateway(settings: Record<string, string> = {}): Promise<OwnGateway> {
  const folder = await newDataFolder();
  const first = await startProcess(folder.dataDir, settings);
  const [, apiKey = ''] = await first.wrote(/^ {2}(fq_\S+)$/m);
  const gateway: OwnGateway = {
    ...first,
    dataDir: folder.dataDir,
    apiKey,
    end(signal) {
      gateway.child.kill(signal);
      return gateway.ended;
    },
    async restart() {
      Object.assign(gateway, await startProcess(folder.dataDir, settings));
    },
    async remove() {
      await gateway.end('SIGKILL');
      await folder.remove();
    },
  };
  return gateway;
}

/** A data folder with an empty database, and its end. */
export async function newDataFolder(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  await copyEmptyDatabase(dataDir);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}
