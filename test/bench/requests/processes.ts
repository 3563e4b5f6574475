import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { PoolConfig } from 'pg';

/** What a server is told before it starts. */
export interface Setup {
  /** The environment variables that lead a gateway to its database. */
  settings: Record<string, string>;
  /** How to ask the same database. */
  connection: PoolConfig;
  /** Where the models are; ends before `/chat/completions`. */
  modelUrl: string;
}

export interface ServerProcess {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts one of the servers beside this file as a process of its own. */
export async function startServer(file: string, setup: Setup): Promise<ServerProcess> {
  // What it logs is written, as in earnest, and read by nobody.
  const child = fork(new URL(`./servers/${file}`, import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.send(setup);
  const [url] = await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error(`${file} ended while it started`))),
  ]);
  return {
    url: String(url),
    pid: child.pid,
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}

/** The other end: serves as the setup says, tells where, and ends with the process that asked. */
export function serveWhenAsked(
  serve: (setup: Setup) => Promise<{ url: string; stop?: () => Promise<void> }>,
): void {
  process.once('message', async (setup: Setup) => {
    const { url, stop } = await serve(setup);
    process.once('disconnect', async () => {
      await stop?.();
      process.exit(0);
    });
    process.send?.(url);
  });
}
