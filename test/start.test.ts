import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { createApp } from '../src/runtime/create-app.ts';
import { createLog } from '../src/runtime/log.ts';
import { startGateway } from '../src/runtime/serve.ts';
import { newDataFolder, run, startProcess } from './support/process.ts';
import { type SupabaseDouble, startSupabaseDouble } from './support/supabase-double.ts';

/* Starts that do not come to their end. */

let double: SupabaseDouble;

beforeAll(async () => {
  double = await startSupabaseDouble();
});
afterAll(() => double.close());

test('SIGTERM during the set-up of the first run ends it with 0', async () => {
  const { dataDir, remove } = await newDataFolder();
  const gateway = await startProcess(dataDir);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('Error'),
  });
  await remove();
});

test('the variables of psql do not keep the embedded database from starting', async () => {
  const { dataDir, remove } = await newDataFolder();
  const variables = { PGPORT: '6000', PGSSLMODE: 'require', PGSSLNEGOTIATION: 'direct' };
  const gateway = await startProcess(dataDir, variables);
  gateway.child.kill('SIGTERM');
  expect((await gateway.ended).code).toBe(0);
  await remove();
});

test('SIGTERM during the start ends it at once', async () => {
  const folder = await newDataFolder();
  const starting = run('src/main.ts', [], {
    DATA_DIR: folder.dataDir,
    PORT: '0',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    TOKEN_SECRET: 'a token secret of 32 characters!',
  });
  await starting.wrote(/waiting for the database/);
  const told = performance.now();
  starting.child.kill('SIGTERM');
  const { code, stderr } = await starting.ended;
  expect(performance.now() - told).toBeLessThan(2000);
  expect(code).toBe(0);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    signal: 'SIGTERM',
    msg: 'stopped before the start was complete',
  });
  await folder.remove();
});

test('503 to who waits for a start that fails, which is not held up by that', async () => {
  const folder = await newDataFolder();
  const port = await freePort();
  const config = readConfig({
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    SUPABASE_URL: double.url,
    SUPABASE_SECRET_KEY: 'garbage',
  });
  const failing = expect(startGateway(config, createLog('silent'))).rejects.toThrow(
    /^SUPABASE_SECRET_KEY: may not write/,
  );
  const response = await reach(`http://127.0.0.1:${port}/health`);
  const answered = performance.now();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toEqual({ error: 'Service unavailable' });
  await failing;
  expect(performance.now() - answered).toBeLessThan(3000);
  await folder.remove();
});

test('503 to requests after an app was closed, which may be closed again', async () => {
  const app = await createApp(readConfig({ DATA_DIR: 'memory:' }), createLog('silent'));
  const { apiKey } = await app.admin.createCustomer({ name: 'embedded', credits: null });
  const ask = async (path: string) =>
    app.fetch(
      new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${apiKey}` } }),
    );
  expect((await ask('/v1/files?datasetId=docs')).status).toBe(200);
  await Promise.all([app.close(), app.close()]);
  await app.close();
  for (const path of ['/v1/files?datasetId=docs', '/health']) {
    const response = await ask(path);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  }
});

/** A file system of its own, of 4 MB, in a namespace of its own. */
const onSmallDisk = (command: string) => [
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=4m tmpfs "$DATA_DIR" && ${command}`,
];
const hasNamespaces = spawnSync('unshare', onSmallDisk('true'), {
  env: { PATH: process.env['PATH'], DATA_DIR: '/tmp' },
}).status;

describe.skipIf(hasNamespaces !== 0)('on a full disk', () => {
  test('the embedded database ends the start with one line and 1', async () => {
    const folder = await newDataFolder();
    const { status, stderr } = spawnSync('unshare', onSmallDisk('"$NODE" src/main.ts'), {
      env: {
        PATH: process.env['PATH'],
        NODE: process.execPath,
        DATA_DIR: folder.dataDir,
        PORT: '0',
      },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'DATA_DIR: the embedded database ended while it started, with 1: there is no room left\n',
    });
    await folder.remove();
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks until somebody listens. */
async function reach(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
