import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';

/** Whether a Redis can be started here: nothing else of the tests needs it. */
export const HAS_REDIS = hasRedis();

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** A real Redis on a port of its own, which keeps nothing on the disk. */
export async function startRedis() {
  const port = await freePort();
  let server = await start(port);

  return {
    /** For REDIS_URL. */
    url: `redis://127.0.0.1:${port}`,

    /** Ends it, and its counts with it, until it is `back`. */
    away: stop,
    async back(): Promise<void> {
      server = await start(port);
    },

    /** Changes a setting while it runs. */
    async set(name: string, value: string | number): Promise<void> {
      const client = new Redis(port, '127.0.0.1');
      await client.config('SET', name, value);
      client.disconnect();
    },

    /** Holds it up: connections stand, and nothing is answered until it may `go`. */
    stall: () => server.kill('SIGSTOP'),
    go: () => server.kill('SIGCONT'),

    close: stop,
  };

  async function stop(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }
}

async function start(port: number) {
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  await once(server, 'spawn');
  const client = new Redis(port, '127.0.0.1', {
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => {});
  await client.ping();
  client.disconnect();
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
