import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../src/http/listen.ts';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { ask as askDatabase } from './support/databases.ts';
import { createFaults } from './support/faults.ts';
import { fetchFrom } from './support/fetch-from.ts';
import { startBeside, type TestGateway } from './support/gateway.ts';
import { readLedger } from './support/ledger.ts';
import { REPEATABLE, repeatable } from './support/repeats.ts';

/* A call with an idempotency key is paid once, and a repeat gets the same answer from any gateway. */

const CREDITS = 10;

const faults = createFaults();
let gateway: TestGateway;
let other: TestGateway;
let me: Awaited<ReturnType<typeof newCustomer>>;
let there: Client;
let key: string;

beforeAll(async () => {
  [gateway, other] = await Promise.all([startBeside({}, faults.override), startBeside()]);
});
beforeEach(async () => {
  me = await newCustomer(gateway, String(CREDITS + 1));
  there = createClient(other, me.apiKey);
  await me.upload('docs', { 'owl.txt': 'The owl is quick, and the fox is not.' });
  key = randomUUID();
});
afterEach(() => faults.mend());
afterAll(async () => {
  await other.close();
  await gateway.close();
});

/** What the customer has paid since the test began. */
async function paid(): Promise<number> {
  const { credits, sum } = await readLedger(faults, me.customerId);
  expect(credits).toBe(sum);
  return Number((CREDITS - Number(credits)).toFixed(6));
}

/** Changes the rows of the customer's keys. */
const changeKeys = (set: string) =>
  askDatabase(
    gateway.connection,
    `UPDATE idempotency_key SET ${set} FROM customer
     WHERE customer_key = customer.key AND customer.id = '${me.customerId}'`,
  );
const countKeys = async () =>
  faults.deps.prisma.idempotencyKey.count({
    where: { customerKey: await customerKey() },
  });
async function customerKey(): Promise<number> {
  const where = { id: me.customerId };
  return (await faults.deps.prisma.customer.findUniqueOrThrow({ where })).key;
}

/** Holds a call up at a port, until it is let go. */
function holdAt(call: string) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  faults.before(call, () => {
    reached.resolve();
    return released.promise;
  });
  return { reached: reached.promise, release: () => released.resolve() };
}

describe.each(REPEATABLE)('%s', (_, price, ask) => {
  it('a repeat gets the same answer from another gateway, and is not paid', async () => {
    const first = await ask(me, { key });
    expect(first.status).toBe(200);
    expect(await ask(there, { key })).toEqual(first);
    expect(await ask(me, { key })).toEqual(first);
    expect(await paid()).toBe(price);
  });

  it('409 when another request has the key', async () => {
    await ask(me, { key });
    expect(await ask(there, { key, other: true })).toEqual({
      status: 409,
      body: expect.stringContaining('belongs to another request'),
    });
    expect(await paid()).toBe(price);
  });

  it('without a key each call is done and paid, and no key is stored', async () => {
    await ask(me);
    await ask(me);
    expect(await paid()).toBe(2 * price);
    expect(await countKeys()).toBe(0);
  });

  it.each(['', 'x'.repeat(256)])('400 for the key "%s"', async (bad) => {
    expect(await ask(me, { key: bad })).toEqual({
      status: 400,
      body: 'the idempotency key must be 1 to 255 visible ASCII characters',
    });
    expect(await paid()).toBe(0);
  });

  it('409 while the first is running, which costs nothing', async () => {
    const sent = Array.from({ length: 8 }, (_, at) => ask(at % 2 ? me : there, { key }));
    const outcomes = await Promise.all(sent);
    const done = outcomes.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { body } of done) expect(body).toEqual(done[0]?.body);
    for (const { status, body } of outcomes) {
      if (status !== 200)
        expect({ status, body }).toEqual({
          status: 409,
          body: expect.stringContaining('still running'),
        });
    }
    expect(await paid()).toBe(price);
  });
});

const search = repeatable('REST search');
const answer = repeatable('REST answer');
const stream = repeatable('REST stream');
const upload = repeatable('REST upload');
const token = repeatable('REST token');

it.each(['a b', 'a\tb', 'ä', 'a\u007f'])('400 for the key "%s" in GraphQL', async (bad) => {
  expect((await repeatable('GraphQL search')(me, { key: bad })).status).toBe(400);
});

it('fifty uploads at once store one file', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, at) => upload(at % 2 ? me : there, { key })),
  );
  expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(await paid()).toBe(1);
  const { body } = await me.rest('GET', '/files?datasetId=docs');
  expect(body.files).toHaveLength(2);
});

it('the answer of a repeat says that it is one; 409 says when to try again', async () => {
  const init = { headers: { 'idempotency-key': key } };
  const body = { datasetId: 'docs', question: 'Is the fox quick?' };
  const send = () => me.raw('POST', '/v1/search', body, init);
  expect((await send()).headers.get('idempotent-replayed')).toBeNull();
  expect((await send()).headers.get('idempotent-replayed')).toBe('true');
  await changeKeys("lease_end = now() + interval '1 minute', answer = NULL");
  const { status, headers } = await send();
  expect([status, headers.get('retry-after')]).toEqual([409, '1']);
});

it.each(['REST upload', 'GraphQL upload'])('a repeat of %s needs no credits', async (name) => {
  const poor = await newCustomer(gateway, '1');
  const ask = repeatable(name);
  const first = await ask(poor, { key });
  expect(first.status).toBe(200);
  expect(await ask(poor, { key })).toEqual(first);
  expect((await ask(poor)).status).toBe(402);
});

describe('keys are apart', () => {
  it('of customers', async () => {
    const you = await newCustomer(gateway, '1');
    await search(me, { key });
    expect(await search(you, { key, other: true })).toMatchObject({
      status: 200,
      body: { data: [] },
    });
  });

  it('of operations', async () => {
    await search(me, { key });
    expect(await answer(me, { key, other: true })).toMatchObject({ status: 200 });
    expect(await paid()).toBe(0.2);
  });

  it('of tokens, and of a token and an API key', async () => {
    const make = async () => createClient(gateway, (await token(me)).body.token);
    const [one, two] = [await make(), await make()];
    for (const client of [me, one, two]) expect((await search(client, { key })).status).toBe(200);
    expect((await search(two, { key, other: true })).status).toBe(409);
    expect(await paid()).toBe(0.3);
  });

  it('not of the API keys of a customer: a new key repeats what the old one began', async () => {
    const { apiKey } = await gateway.admin.createKey(me.customerId);
    await search(me, { key });
    expect((await search(createClient(gateway, apiKey), { key })).status).toBe(200);
    expect(await paid()).toBe(0.1);
  });

  it('not of the doors', async () => {
    const { body } = await search(me, { key });
    const over = await repeatable('GraphQL search')(me, { key });
    expect(over.body[0].data.search[0].score).toBe(body.data[0].score);
    expect(await paid()).toBe(0.1);
  });

  it('an answer is not a stream', async () => {
    await answer(me, { key });
    expect((await stream(me, { key })).status).toBe(409);
  });
});

describe('what failed can be repeated', () => {
  it.each([
    [
      '400',
      () =>
        me.raw(
          'POST',
          '/v1/search',
          { datasetId: 'docs' },
          { headers: { 'idempotency-key': key } },
        ),
    ],
    [
      '401',
      () =>
        createClient(gateway, 'fq_unknown').raw(
          'POST',
          '/v1/search',
          {},
          { headers: { 'idempotency-key': key } },
        ),
    ],
  ])('%s keeps no key', async (status, send) => {
    expect((await send()).status).toBe(Number(status));
    expect(await countKeys()).toBe(0);
  });

  it.each([
    ['search', search, 'index.search', 0.1],
    ['answer', answer, 'index.search', 0.1],
    ['stream', stream, 'index.search', 0.1],
    ['upload', upload, 'index.add', 1],
  ] as const)('500 of %s costs nothing, and its key is free', async (_, ask, call, price) => {
    faults.fail(call);
    expect((await ask(me, { key })).status).toBe(500);
    expect([await paid(), await countKeys()]).toEqual([0, 0]);
    faults.mend();
    expect((await ask(me, { key })).status).toBe(200);
    expect(await paid()).toBe(price);
  });

  it('402 keeps no key', async () => {
    const poor = await newCustomer(gateway, '0');
    expect((await search(poor, { key })).status).toBe(402);
    await gateway.admin.grantCredits(poor.customerId, '1');
    expect((await search(poor, { key, other: true })).status).toBe(200);
  });

  it('a stream that breaks off is not paid, and its repeat is', async () => {
    faults.answerWith(async function* () {
      yield 'Thirty characters and some more.';
      throw new Error('the model is gone');
    });
    expect((await stream(me, { key })).body).toContain('"error"');
    expect([await paid(), await countKeys()]).toEqual([0, 0]);
    faults.mend();
    expect((await stream(me, { key })).body).toContain('"done":true');
    expect(await paid()).toBe(0.1);
  });
});

describe('when its time is over', () => {
  it('a key is new after 24 hours', async () => {
    const first = await token(me, { key });
    await changeKeys("created = now() - interval '24 hours'");
    const second = await token(me, { key, other: true });
    expect(second.status).toBe(200);
    expect(second.body.token).not.toBe(first.body.token);
  });

  it('a key is removed by the sweep', async () => {
    await search(me, { key });
    await gateway.maintenance.sweep();
    expect(await countKeys()).toBe(1);
    await changeKeys("created = now() - interval '24 hours'");
    await gateway.maintenance.sweep();
    expect(await countKeys()).toBe(0);
  });
});

describe('what is stored', () => {
  it('is no token, no text, and no key', async () => {
    const made = await token(me, { key });
    await answer(me, { key });
    const rows = await faults.deps.prisma.idempotencyKey.findMany({
      where: { customerKey: await customerKey() },
    });
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const stored = [row.id, row.fingerprint, row.answer ?? []].map((bytes) => Buffer.from(bytes));
      for (const secret of [made.body.token, 'fox', key]) {
        expect(Buffer.concat(stored).includes(secret)).toBe(false);
      }
    }
  });

  it('an answer of more than 1 MiB is paid once, and not kept', async () => {
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
    faults.answerWith(async function* () {
      for (let part = 0; part < 30; part++) yield `${part}${noise.slice(part)}${randomUUID()}`;
    });
    expect((await answer(me, { key })).status).toBe(200);
    expect(await answer(there, { key })).toEqual({
      status: 409,
      body: expect.stringContaining('its answer is not kept'),
    });
    expect(await paid()).toBe(0.1);
  });

  it('an answer cannot be opened with another secret', async () => {
    const stranger = await startBeside({ TOKEN_SECRET: 'another secret of thirty-two characters' });
    await search(me, { key });
    expect(await search(createClient(stranger, me.apiKey), { key })).toMatchObject({ status: 409 });
    await stranger.close();
  });
});

describe('when the process ends', () => {
  it('a repeat takes over after the lease, and the first is not paid', async () => {
    const held = holdAt('index.search');
    const first = search(me, { key });
    await held.reached;
    expect((await search(there, { key })).status).toBe(409);
    // As if its gateway had been gone for a minute.
    await changeKeys('lease_end = now()');
    const second = await search(there, { key });
    expect(second.status).toBe(200);
    // It was not gone after all: it is fenced off.
    held.release();
    expect((await first).status).toBe(409);
    expect(await search(me, { key })).toEqual(second);
    expect(await paid()).toBe(0.1);
  });

  it('an upload that was taken over stores its file once', async () => {
    const held = holdAt('storage.put');
    const first = upload(me, { key });
    await held.reached;
    await changeKeys('lease_end = now()');
    const second = await upload(there, { key });
    held.release();
    expect((await first).status).not.toBe(200);
    const { body } = await me.rest('GET', '/files?datasetId=docs');
    expect(body.files.map(({ originalName }: { originalName: string }) => originalName)).toEqual([
      'fox.txt',
      'owl.txt',
    ]);
    expect(await upload(me, { key })).toEqual(second);
    expect(await paid()).toBe(1);
  });

  it('409 for another request with the key, also after the lease', async () => {
    const held = holdAt('index.search');
    const first = search(me, { key });
    await held.reached;
    await changeKeys('lease_end = now()');
    expect(await search(there, { key, other: true })).toMatchObject({ status: 409 });
    held.release();
    await first;
  });
});

describe('when the client goes away', () => {
  let server: Listening;

  beforeAll(async () => {
    server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.stop());

  it.each([
    ['REST search', 'index.search'],
    ['REST answer', 'index.search'],
    ['REST stream', 'index.search'],
    ['REST upload', 'index.add'],
    ['GraphQL search', 'index.search'],
    ['GraphQL answer', 'index.search'],
    ['GraphQL stream', 'index.search'],
    ['GraphQL upload', 'storage.put'],
  ])('%s goes on, and the repeat gets its answer', async (name, call) => {
    const ask = repeatable(name);
    const leaving = new AbortController();
    const client = createClient({ fetch: fetchFrom(server.url) }, me.apiKey);
    const held = holdAt(call);
    const gone = ask(client, { key, signal: leaving.signal }).catch(() => 'gone');
    await held.reached;
    leaving.abort();
    expect(await gone).toBe('gone');
    held.release();
    faults.mend();
    await expect.poll(async () => (await ask(there, { key })).status).toBe(200);
    expect(await paid()).toBe(/upload/.test(name) ? 1 : 0.1);
  });

  it('a gateway that stops ends it, and the repeat is done by another', async () => {
    const its = createFaults();
    const stopping = await startBeside({}, its.override);
    const leaving = new AbortController();
    its.answerWith(async function* (_, signal) {
      yield 'Thirty characters and some more.';
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const response = await createClient(stopping, me.apiKey).raw(
      'POST',
      '/v1/query',
      { datasetId: 'docs', question: 'Is the fox quick?' },
      { headers: { 'idempotency-key': key }, signal: leaving.signal },
    );
    await response.body?.cancel();
    await stopping.close();
    expect([await paid(), await countKeys()]).toEqual([0, 0]);
    expect((await stream(there, { key })).status).toBe(200);
    expect(await paid()).toBe(0.1);
  });
});
