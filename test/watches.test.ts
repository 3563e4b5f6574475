import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from './support/client.ts';
import { ask, SERVER_URL, WORKER_URLS } from './support/databases.ts';
import { type ListeningGateway, startListening } from './support/listening.ts';
import { type ServedDatabase, serveDatabase } from './support/served-database.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';
import { watch } from './support/watch.ts';

/* Two gateways on one database: what is changed through one is told by the other. */

let database: ServedDatabase;
/** The way of the connection that listens; other statements have their own. */
let proxy: TcpProxy;
let here: ListeningGateway;
let there: ListeningGateway;
let me: Client;
let events: ReturnType<typeof watch>;
let uploads = 0;

beforeAll(async () => {
  database = await serveDatabase({ tables: true });
  proxy = await startTcpProxy(database.address);
  const direct = new URL(SERVER_URL ?? 'postgres://postgres@localhost/postgres');
  direct.host = `127.0.0.1:${proxy.port}`;
  if (SERVER_URL) direct.pathname = new URL(database.settings['DATABASE_URL'] ?? '').pathname;
  [here, there] = await Promise.all([
    startListening(database.settings),
    startListening({
      ...database.settings,
      MIGRATION_DATABASE_URL: direct.href,
      DATABASE_POLL_INTERVAL: '1',
    }),
  ]);
  const { apiKey } = await here.app.admin.createCustomer({ name: 'ACME', credits: null });
  me = createClient(here, apiKey);
  events = watch(there.publicUrl, apiKey, { datasetId: 'docs' });
  expect(await events.next()).toMatchObject({ __typename: 'DatasetWatched' });
});
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()]);
  await proxy.close();
  await database.remove();
});

/** Uploads through one gateway, and waits until the other tells. @returns the milliseconds until then */
async function seen(): Promise<number> {
  const name = `${++uploads}.txt`;
  await me.upload('docs', { [name]: 'Text.' });
  const start = performance.now();
  expect(await events.next()).toMatchObject({ file: { originalName: name } });
  return performance.now() - start;
}

/** On Citus, triggers run on other servers than the one it could listen to: it only polls. */
const listening = it.skipIf(WORKER_URLS.length > 0);

listening('tells within a second', async () => {
  // Until it listens, it may poll.
  await expect.poll(proxy.count).toBe(1);
  for (let times = 0; times < 3; times++) expect(await seen()).toBeLessThan(1000);
});

listening('tells what was committed while its connection was cut', async () => {
  proxy.cut();
  await seen();
  await expect.poll(proxy.count, { timeout: 5000 }).toBe(1);
  await seen();
});

it.runIf(SERVER_URL && WORKER_URLS.length === 0)(
  'tells after the server ended its connection',
  async () => {
    const terminated = await ask(
      database.connection,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    );
    expect(terminated).toHaveLength(1);
    await seen();
  },
);

listening('polls while it cannot listen, and listens again', async () => {
  await proxy.away();
  await seen();
  await seen();
  await proxy.back();
  await expect.poll(proxy.count, { timeout: 10_000 }).toBe(1);
  await seen();
});

it.runIf(WORKER_URLS.length > 0)('tells what a look finds', async () => {
  await seen();
  await seen();
});

it('ends its streams when it is stopped, so that clients subscribe elsewhere', async () => {
  const start = performance.now();
  const [stopped] = await Promise.allSettled([events.next(), there.app.endWatches()]);
  expect(stopped).toMatchObject({ status: 'rejected', reason: new Error('UNAVAILABLE') });
  await there.stop();
  expect(performance.now() - start).toBeLessThan(3000);
});
