import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../src/ports/query.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { faults, shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';
import { readLedger } from '../support/ledger.ts';

type Customer = Awaited<ReturnType<typeof newCustomer>>;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
const whole = (client: Client) => client.rest('POST', '/query', { ...asked, stream: false });
const stream = (client: Client) => client.rest('POST', '/query', asked);
const search = (client: Client) => client.rest('POST', '/search', asked);
const PAID = [whole, stream, search];
const fox = { 'fox.txt': 'The fox is quick.' };
const ledgerOf = ({ customerId }: Customer) => readLedger(faults, customerId);

/** A balance, which the ledger says too. */
async function expectLeft(customer: Customer, credits: string, entries: number) {
  expect(await ledgerOf(customer)).toEqual({ credits, sum: credits, entries });
}

test.each([
  ['POST /v1/query with stream false', whole, '9.9'],
  ['POST /v1/query as a stream', stream, '9.9'],
  ['POST /v1/search', search, '9.9'],
  ['POST /v1/files/upload of a file', (client: Client) => client.upload('docs', fox), '9'],
  [
    'POST /v1/files/upload of three files',
    (client: Client) => client.upload('docs', { ...fox, 'b.txt': 'b', 'c.txt': 'c' }),
    '7',
  ],
])('200 %s takes its price, in one line of the ledger', async (_, send, left) => {
  const customer = await newCustomer(gateway, '10');
  expect((await send(customer)).status).toBe(200);
  await expectLeft(customer, left, 2);
});

test.each([
  ['POST /v1/query with stream false', whole],
  ['POST /v1/query as a stream', stream],
  ['POST /v1/search', search],
])('200 %s: the charge is taken before the work begins', async (_, send) => {
  const customer = await newCustomer(gateway, '1');
  const seen: unknown[] = [];
  faults.before('sql.query', async ([statement]) => {
    if (looksForDataset(statement)) seen.push((await ledgerOf(customer)).credits);
  });
  await send(customer);
  expect(seen).toEqual(['0.9']);
});

test('200 for everything else: free, and nothing is given back for what is deleted', async () => {
  const customer = await newCustomer(gateway, '3');
  const { body } = await customer.upload('docs', { ...fox, 'hen.txt': 'The hen is slow.' });
  const { fileId } = body.files[0];
  const free: [string, string, object?][] = [
    ['GET', '/files?datasetId=docs'],
    ['GET', '/files?datasetId=docs&limit=1'],
    ['GET', `/files/${fileId}?datasetId=docs`],
    ['POST', '/tokens/create', { datasetId: 'docs' }],
    ['DELETE', `/files/${fileId}?datasetId=docs`],
    ['DELETE', '/datasets/docs/files'],
    ['DELETE', '/files'],
  ];
  for (const [method, path, sent] of free) {
    expect((await customer.rest(method, path, sent)).status).toBe(200);
  }
  await expectLeft(customer, '1', 2);
});

test('200 a thousand times: exactly 100 credits; 429 after that costs nothing', async () => {
  const customer = await newCustomer(gateway, '150');
  const statuses: number[] = [];
  for (let at = 0; at < 1000; at += 20) {
    const calls = Array.from({ length: 20 }, (_, next) => PAID[(at + next) % 3]?.(customer));
    for (const reply of await Promise.all(calls)) statuses.push(reply?.status ?? 0);
  }
  expect(statuses).toEqual(Array(1000).fill(200));
  await expectLeft(customer, '50', 1001);
  expect((await search(customer)).status).toBe(429);
  await expectLeft(customer, '50', 1001);
});

describe('not enough credits', () => {
  test.each([
    ['POST /v1/query with stream false', whole, 0.1],
    ['POST /v1/query as a stream', stream, 0.1],
    ['POST /v1/search', search, 0.1],
    [
      'POST /v1/files/upload',
      (client: Client) => client.upload('docs', { ...fox, 'b.txt': 'b' }),
      // Before the body is read, it is known to cost no less than a file.
      1,
    ],
  ])('402 %s: INSUFFICIENT_CREDITS, what to do, and how many', async (_, send, required) => {
    const customer = await newCustomer(gateway, '0.05');
    for (const call of ['embeddings.embedQuestion', 'storage.put']) faults.fail(call);
    faults.before('sql.query', ([statement]) => {
      if (looksForDataset(statement)) throw new Error('nothing is looked for');
    });
    const { status, body } = await send(customer);
    expect(status).toBe(402);
    expect(body).toStrictEqual({
      error: 'INSUFFICIENT_CREDITS',
      message: expect.stringMatching(/top up/),
      details: { required, available: 0.05 },
    });
    await expectLeft(customer, '0.05', 1);
  });

  test('402 with enough for the first file: both are required', async () => {
    const customer = await newCustomer(gateway, '1.5');
    const { status, body } = await customer.upload('docs', { ...fox, 'b.txt': 'b' });
    expect(status).toBe(402);
    expect(body.details).toStrictEqual({ required: 2, available: 1.5 });
    await expectLeft(customer, '1.5', 1);
  });

  test('402 with nothing at all: available is 0', async () => {
    const customer = await newCustomer(gateway, '0');
    const { body } = await search(customer);
    expect(body.details).toStrictEqual({ required: 0.1, available: 0 });
  });

  test('200, 200, 402 with 0.25 credits; 200 when some were added', async () => {
    const customer = await newCustomer(gateway, '0.25');
    const calls = [await search(customer), await whole(customer), await stream(customer)];
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 402]);
    await gateway.admin.grantCredits(customer.customerId, '0.05');
    expect((await stream(customer)).status).toBe(200);
    await expectLeft(customer, '0', 5);
  });

  test('200 once and 402 for the others of 50 queries at once on the last credit', async () => {
    const customer = await newCustomer(gateway, '0.1');
    const calls = Array.from({ length: 50 }, (_, at) => PAID[at % 3]?.(customer));
    const statuses = (await Promise.all(calls)).map((reply) => reply?.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(49);
    await expectLeft(customer, '0', 2);
  });
});

describe('what is given back', () => {
  const broken = { 'empty.txt': '' };
  test.each<[string, number, string, (client: Client) => Promise<{ status: number }>]>([
    ['POST /v1/search when it fails', 500, 'index.search', search],
    ['POST /v1/query when it fails', 500, 'index.search', whole],
    ['a stream of POST /v1/query that fails at once', 500, 'index.search', stream],
    [
      'POST /v1/files/upload when it fails',
      500,
      'index.add',
      (client) => client.upload('docs', fox),
    ],
    [
      'POST /v1/files/upload of what cannot be read',
      422,
      'none',
      (client) => client.upload('docs', broken),
    ],
    [
      'POST /v1/files/upload of what nothing reads',
      415,
      'none',
      (client) => client.upload('docs', { a: new Blob([new Uint8Array([0, 1, 2, 3, 255, 0])]) }),
    ],
  ])('the price of %s (%i)', async (_, status, call, send) => {
    const customer = await newCustomer(gateway, '10');
    await customer.upload('docs', fox);
    faults.fail(call);
    expect((await send(customer)).status).toBe(status);
    await expectLeft(customer, '9', 4);
  });

  test.each([
    ['400', { question: 'Is the fox quick?' }],
    ['400', { ...asked, filters: {} }],
  ])('nothing was taken for %s', async (status, body) => {
    const customer = await newCustomer(gateway, '1');
    const reply = await customer.rest('POST', '/query', body);
    expect(reply.status).toBe(Number(status));
    await expectLeft(customer, '1', 1);
  });
});

test('the ledger is the balance at every moment, also of a storm', async () => {
  const customer = await newCustomer(gateway, '6');
  await customer.upload('docs', fox);
  let searches = 0;
  faults.before('index.search', () => {
    searches += 1;
    if (searches % 3 === 0) throw new Error('broken on purpose');
  });
  let stormy = true;
  const watch = (async () => {
    let moments = 0;
    for (; stormy; moments++) {
      const { credits, sum } = await ledgerOf(customer);
      expect(credits).toBe(sum);
      expect(Number(credits)).toBeGreaterThanOrEqual(0);
    }
    return moments;
  })();
  const statuses: (number | undefined)[] = [];
  for (let round = 0; round < 10; round++) {
    const calls = Array.from({ length: 9 }, (_, at) => PAID[at % 3]?.(customer));
    const granted = gateway.admin.grantCredits(customer.customerId, '0.1');
    for (const reply of await Promise.all(calls)) statuses.push(reply?.status);
    await granted;
  }
  stormy = false;
  expect(await watch).toBeGreaterThan(5);
  const paid = statuses.filter((status) => status === 200).length;
  const failed = statuses.filter((status) => status === 500).length;
  expect(failed).toBeGreaterThan(0);
  const { credits, sum } = await ledgerOf(customer);
  expect(credits).toBe(sum);
  expect(Math.round(Number(credits) * 10)).toBe(50 + 10 - paid);
});

test('200 for an unmetered customer: nothing is taken, nothing is written', async () => {
  const customer = await newCustomer(gateway, null);
  const calls = [customer.upload('docs', fox), ...PAID.map((send) => send(customer))];
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(await ledgerOf(customer)).toEqual({ credits: null, sum: '0', entries: 0 });
});

test('200 at other prices: exact to the last decimal, and what is free needs no credits', async () => {
  const prices = { PRICE_QUERY: '0.000001', PRICE_SEARCH: '0', PRICE_UPLOAD: '2.5' };
  const other = await startBeside(prices);
  try {
    const customer = await newCustomer(other, '5.000003');
    const left = async () => (await other.admin.showCredits(customer.customerId)).credits;
    const { body } = await customer.upload('docs', { ...fox, 'b.txt': 'b' });
    expect(body.billed).toEqual({ fileCount: 2, uploadUnits: 5 });
    expect(await left()).toBe('0.000003');
    for (const send of [whole, stream, whole]) expect((await send(customer)).status).toBe(200);
    expect(await left()).toBe('0');
    expect((await whole(customer)).body.details).toEqual({ required: 0.000001, available: 0 });
    expect((await search(customer)).status).toBe(200);
  } finally {
    await other.close();
  }
});

/** The first thing that a question or an upload does once it is paid for. */
function looksForDataset(statement: unknown): boolean {
  return / FROM dataset /.test((statement as Statement).text);
}
