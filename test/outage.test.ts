import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from './support/audit.ts';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { ask, SERVER_URL } from './support/databases.ts';
import { createFaults } from './support/faults.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { graphqlTransport } from './support/graphql-transport.ts';
import { restTransport } from './support/rest-transport.ts';
import { type ServedDatabase, serveDatabase } from './support/served-database.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';
import { resultOf, type Transport } from './support/transport.ts';

/* A database server that goes away, hangs and comes back, while a gateway runs. */

const docs = { datasetId: 'docs' };
const question = { ...docs, question: 'Is the fox quick?' };
const POOL_SIZE = 4;
/** The connection that listens for changes is none of the pool's. */
const LISTENERS = 1;
const AWAY = {
  status: 503,
  code: 'UNAVAILABLE',
  error: 'Service unavailable',
  details: { retryAfterSeconds: 5 },
};

const faults = createFaults();
let database: ServedDatabase;
let proxy: TcpProxy;
let gateway: TestGateway;
let me: Client & { customerId: string };
let fileId: string;

beforeAll(async () => {
  database = await serveDatabase({ tables: true });
  proxy = await startTcpProxy(database.address);
  const url = new URL(database.settings['DATABASE_URL'] ?? '');
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${proxy.port}`;
  const limits = { DATABASE_POOL_SIZE: String(POOL_SIZE), DATABASE_STATEMENT_TIMEOUT: '1' };
  const settings = { ...database.settings, DATABASE_URL: url.href, ...limits };
  gateway = await startGateway(settings, faults.override);
  me = await newCustomer(gateway, '1000');
  const { files } = resultOf(await restTransport.upload(me, { ...docs, files: fox }));
  fileId = files[0]?.fileId ?? '';
});
afterAll(async () => {
  await gateway.close();
  expect(proxy.count()).toBe(0);
  await proxy.close();
  await database.remove();
});

const fox = { 'fox.txt': 'The fox is quick.' };

describe('while the database is away', () => {
  beforeAll(() => proxy.away());
  afterAll(() => proxy.back());

  const operations: Record<string, (transport: Transport, client: Client) => Promise<unknown>> = {
    upload: (transport, client) => transport.upload(client, { ...docs, files: fox }),
    list: (transport, client) => transport.list(client, docs),
    get: (transport, client) => transport.get(client, { ...docs, fileId }),
    'delete one': (transport, client) => transport.remove(client, { ...docs, fileId }),
    'purge a dataset': (transport, client) => transport.purgeDataset(client, 'docs'),
    'purge all': (transport, client) => transport.purgeCustomer(client),
    search: (transport, client) => transport.search(client, question),
    'answer whole': (transport, client) => transport.answer(client, question),
    'answer in pieces': (transport, client) => transport.stream(client, question),
  };
  const cases = Object.keys(operations).flatMap((name) => [
    { name, transport: restTransport, of: 'REST' },
    { name, transport: graphqlTransport, of: 'GraphQL' },
  ]);

  it.each(cases)('503 to $name over $of, and when to come back', async ({ name, transport }) => {
    expect(await operations[name]?.(transport, me)).toEqual(AWAY);
  });

  it.each([restTransport, graphqlTransport])(
    '503 to a caller who is not known yet',
    async (transport) => {
      expect(await transport.list(createClient(gateway, `fq_${'n'.repeat(43)}`), docs)).toEqual(
        AWAY,
      );
    },
  );

  it('503 in the form of all errors, with Retry-After', async () => {
    const { status, headers, body } = await me.rest('GET', '/files?datasetId=docs');
    expect({ status, body }).toEqual({ status: 503, body: { error: 'Service unavailable' } });
    expect(headers.get('retry-after')).toBe('5');
  });

  it('503 from /ready, which names the database; /health lives', async () => {
    await expect.poll(readiness, { timeout: 5000 }).toEqual({
      status: 503,
      body: { status: 'not ready', failing: ['database'] },
    });
    const health = await gateway.fetch(new Request('http://filequery.test/health'));
    expect(health.status).toBe(200);
  });
});

it('/ready answers within two seconds while the database says nothing', async () => {
  proxy.stall();
  try {
    await expect.poll(async () => (await readiness()).status, { timeout: 5000 }).toBe(503);
    const asked = performance.now();
    expect((await readiness()).body).toEqual({ status: 'not ready', failing: ['database'] });
    expect(performance.now() - asked).toBeLessThan(2000);
  } finally {
    proxy.flow();
    proxy.cut();
    await expectReady();
  }
});

describe('when the database is back', () => {
  it('everything is as it was, with nothing to do', async () => {
    await proxy.away();
    await restTransport.list(me, docs);
    await proxy.back();
    expect(resultOf(await restTransport.list(me, docs))).toMatchObject([{ fileId }]);
    expect(resultOf(await graphqlTransport.search(me, question))).toHaveLength(1);
    await expectReady();
  });

  it('connections that were cut while they were idle are replaced', async () => {
    for (let round = 0; round < 3; round++) {
      proxy.cut();
      await pause(20);
      expect(resultOf(await restTransport.list(me, docs))).toHaveLength(1);
    }
  });
});

it('what was paid for work that the outage took is given back after it', async () => {
  const before = await gateway.admin.showCredits(me.customerId);
  faults.before('index.search', () => proxy.away());
  expect(await restTransport.search(me, question)).toEqual(AWAY);
  faults.mend();
  await proxy.back();
  const now = () => gateway.admin.showCredits(me.customerId);
  await expect.poll(now, { timeout: 5000 }).toMatchObject({ credits: before.credits });
  expect((await now()).entries.slice(0, 2)).toMatchObject([
    { amount: '0.1', reason: 'search refund' },
    { amount: '-0.1', reason: 'search' },
  ]);
});

describe('connections that are cut in the middle of their work', () => {
  it('fail what runs with 503, and leave every file whole or gone', async () => {
    for (let round = 0; round < 3; round++) {
      const running = Array.from({ length: 12 }, (_, at) => work(at, `cut-${round}`));
      await pause(30 * round);
      proxy.cut();
      for (const outcome of await Promise.all(running)) {
        if (!('result' in outcome)) expect(outcome).toEqual(AWAY);
      }
    }
    await expectAllConnectionsFree();
    await ask(database.connection, 'UPDATE pending_file SET due = now()');
    expect((await gateway.maintenance.sweep()).failed).toBe(0);
    expect(await audit({ ...gateway, connection: database.connection })).toEqual({});
  });
});

it('a statement that takes too long is given up with 503, and its connection is free again', async () => {
  const pool = new Pool({ ...database.connection, max: 1 });
  // Whoever wants to spend waits for this one to end.
  await pool.query('BEGIN; UPDATE balance SET credits = credits');
  const asked = Array.from({ length: POOL_SIZE }, () => restTransport.search(me, question));
  expect(await Promise.all(asked)).toEqual(asked.map(() => AWAY));
  await pool.query('ROLLBACK');
  await pool.end();
  await expectAllConnectionsFree();
});

it('a server that says nothing any more is given up with 503', async () => {
  proxy.stall();
  const asked = [restTransport.list(me, docs), restTransport.upload(me, { ...docs, files: fox })];
  expect(await Promise.all(asked)).toEqual([AWAY, AWAY]);
  proxy.flow();
  await expectAllConnectionsFree();
});

it('there are never more connections than the pool has', async () => {
  const failing = Array.from({ length: 20 }, (_, at) => work(at, 'many'));
  const counts: number[] = [];
  const counting = setInterval(() => counts.push(proxy.count()), 2);
  await Promise.all(failing);
  clearInterval(counting);
  expect(Math.max(...counts)).toBeLessThanOrEqual(POOL_SIZE + LISTENERS);
  await expectAllConnectionsFree();
});

it.runIf(SERVER_URL)('and the server counts no more of them', async () => {
  const [row] = await ask<{ count: number }>(
    database.connection,
    `SELECT count(*)::int FROM pg_stat_activity
     WHERE application_name = 'filequery' AND datname = current_database()`,
  );
  expect(row?.count).toBeLessThanOrEqual(POOL_SIZE + LISTENERS);
});

/** One of the kinds of work, some of it in transactions. */
function work(at: number, name: string) {
  const file = { [`${name}-${at}.txt`]: 'The hen is slow.' };
  const other = { datasetId: 'other' };
  if (at % 4 === 0) return restTransport.upload(me, { ...other, files: file });
  if (at % 4 === 1) return graphqlTransport.search(me, { ...question, ...other });
  if (at % 4 === 2) return restTransport.list(me, other);
  return restTransport.answer(me, question);
}

/** A connection that is never given back would hold one of these up for ever. */
async function expectAllConnectionsFree(): Promise<void> {
  const files = Array.from({ length: 2 * POOL_SIZE }, (_, at) => ({ [`${at}.txt`]: 'Free.' }));
  const uploads = files.map((named) =>
    restTransport.upload(me, { datasetId: 'free', files: named }).then(resultOf),
  );
  await Promise.all(uploads);
  await expectReady();
}

async function expectReady(): Promise<void> {
  await expect.poll(readiness, { timeout: 5000 }).toEqual({
    status: 200,
    body: { status: 'ready' },
  });
}

async function readiness(): Promise<{ status: number; body: unknown }> {
  const ready = await gateway.fetch(new Request('http://filequery.test/ready'));
  return { status: ready.status, body: await ready.json() };
}
