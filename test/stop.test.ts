import { expect, test } from 'vitest';
import { newDataFolder, startProcess } from './support/process.ts';
import { serveDatabase } from './support/served-database.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

/** What compose.yaml gives a gateway, before it is killed. */
const STOP_GRACE_MS = 15_000;

test('a gateway whose database hangs stops in time', async () => {
  const database = await serveDatabase({ tables: true });
  const proxy = await startTcpProxy(database.address);
  const url = new URL(database.settings['DATABASE_URL'] ?? '');
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${proxy.port}`;
  const { dataDir, remove } = await newDataFolder();
  const gateway = await startProcess(dataDir, { ...database.settings, DATABASE_URL: url.href });
  proxy.stall();
  // A statement of this check waits for the database from now on.
  expect((await fetch(`${gateway.url}/ready`)).status).toBe(503);

  const signalled = performance.now();
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - signalled).toBeLessThan(STOP_GRACE_MS);

  await proxy.close();
  await database.remove();
  await remove();
});
