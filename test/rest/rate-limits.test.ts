import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';

/** Call number so many. */
type Send = (client: Client, at: number) => Promise<{ status: number; headers: Headers }>;

const faults = createFaults();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startBeside({ PRICE_SEARCH: '0' }, faults.override);
});
afterEach(() => {
  vi.useRealTimers();
  faults.mend();
});
afterAll(() => gateway.close());

const list: Send = (client, at) =>
  client.rest('GET', at % 2 ? '/files?datasetId=docs' : '/files?datasetId=docs&limit=1');
const get: Send = (client) => client.rest('GET', '/files/none?datasetId=docs');
const remove: Send = (client) => client.rest('DELETE', '/files/none?datasetId=docs');
const bulk: Send = (client, at) =>
  client.rest('DELETE', at % 2 ? '/files' : `/datasets/docs-${at}/files`);
const search: Send = (client) =>
  client.rest('POST', '/search', { datasetId: 'docs', question: 'Is the fox quick?' });
const ask: Send = (client, at) =>
  client.rest('POST', at % 2 ? '/search' : '/query', {
    datasetId: 'docs',
    question: 'Is the fox quick?',
    ...(at % 4 === 0 && { stream: false }),
  });
const upload: Send = (client) => client.upload('docs', { 'empty.txt': '' });
const token: Send = (client) => client.rest('POST', '/tokens/create', { datasetId: 'docs' });

const WINDOWS: [name: string, limit: number, send: Send][] = [
  ['GET /v1/files', 1000, list],
  ['GET /v1/files/:fileId', 1000, get],
  ['DELETE /v1/files/:fileId', 100, remove],
  ['DELETE /v1/files and DELETE /v1/datasets/:datasetId/files together', 10, bulk],
  ['POST /v1/query and POST /v1/search together', 1000, ask],
  ['POST /v1/files/upload', 100, upload],
  ['POST /v1/tokens/create', 100, token],
];

const numberIn = ({ headers }: { headers: Headers }, name: string) => Number(headers.get(name));

/** Takes a window's calls, but for the last so many. */
async function take(client: Client, limit: number, send: Send) {
  const replies = [];
  // Ten at once: quick, and still in the order of a queue.
  for (let at = 0; at < limit; at += 10) {
    const batch = Array.from({ length: Math.min(10, limit - at) }, (_, next) =>
      send(client, at + next),
    );
    replies.push(...(await Promise.all(batch)));
  }
  return replies;
}

test.each(WINDOWS)(
  '429 for %s after %i calls in a minute: Rate limit exceeded',
  async (_, limit, send) => {
    const customer = await newCustomer(gateway);
    const replies = await take(customer, limit, send);
    expect(replies.filter(({ status }) => status === 429)).toEqual([]);
    expect(replies.every((reply) => numberIn(reply, 'x-ratelimit-limit') === limit)).toBe(true);
    const left = replies.map((reply) => numberIn(reply, 'x-ratelimit-remaining'));
    expect(left.toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: limit }, (_, at) => limit - 1 - at),
    );
    const resets = replies.map((reply) => numberIn(reply, 'x-ratelimit-reset'));
    expect(resets.filter((reset) => !(reset >= 1 && reset <= 60))).toEqual([]);

    for (const at of [0, 1]) {
      const refused = await send(customer, at);
      expect(refused).toMatchObject({ status: 429, body: { error: 'Rate limit exceeded' } });
      expect(refused.headers.get('x-ratelimit-limit')).toBe(String(limit));
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      const wait = numberIn(refused, 'retry-after');
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      expect(numberIn(refused, 'x-ratelimit-reset')).toBe(wait);
    }

    const others = WINDOWS.filter(([, , other]) => other !== send);
    for (const [, , other] of others) expect((await other(customer, 0)).status).not.toBe(429);
    expect((await send(await newCustomer(gateway), 0)).status).not.toBe(429);
  },
);

test('429 for the 11th of 30 calls at once', async () => {
  const customer = await newCustomer(gateway);
  const replies = await Promise.all(Array.from({ length: 30 }, (_, at) => bulk(customer, at)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
});

test('429 for every credential of a customer together', async () => {
  const customer = await newCustomer(gateway);
  const { apiKey } = await gateway.admin.createKey(customer.customerId);
  const { token } = await gateway.admin.createToken(customer.customerId, 'docs');
  const clients = [customer, createClient(gateway, apiKey), createClient(gateway, token)];
  const statuses: number[] = [];
  for (let at = 0; at < 12; at++) {
    const client = clients[at % 3] as Client;
    statuses.push((await client.rest('DELETE', '/datasets/docs/files')).status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});

test('200 again when the window has ended', async () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const customer = await newCustomer(gateway);
  await take(customer, 10, bulk);
  const refused = await bulk(customer, 0);
  const wait = numberIn(refused, 'retry-after') * 1000;
  vi.setSystemTime(start + wait - 1500);
  expect((await bulk(customer, 0)).status).toBe(429);
  vi.setSystemTime(start + wait + 1);
  const allowed = await bulk(customer, 0);
  expect(allowed.status).toBe(200);
  expect(allowed.headers.get('x-ratelimit-remaining')).toBe('9');
});

describe('X-RateLimit-* on an answer to somebody', () => {
  const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
  const large = 'x'.repeat(1024 ** 2 + 1);
  const form = () => {
    const data = new FormData();
    data.set('file', new File(['The fox is quick.'], 'fox.txt'));
    return data;
  };
  type Row = [
    status: number,
    method: string,
    path: string,
    what: string,
    body: unknown,
    type?: string,
  ];

  /** None of these is a call of the operation: the window is where it was. */
  test.each<Row>([
    [400, 'GET', '/v1/files', 'without datasetId', undefined],
    [400, 'GET', '/v1/files?datasetId=docs&limit=0', 'with a wrong limit', undefined],
    [400, 'GET', '/v1/files/none', 'without datasetId', undefined],
    [400, 'DELETE', '/v1/files/none', 'without datasetId', undefined],
    [400, 'DELETE', '/v1/files/none', 'with broken JSON', '{'],
    [400, 'DELETE', '/v1/datasets//files', 'without datasetId', undefined],
    [400, 'POST', '/v1/query', 'without a question', { datasetId: 'docs' }],
    [400, 'POST', '/v1/query', 'with a wrong stream', { ...asked, stream: 1 }],
    [400, 'POST', '/v1/query', 'with broken JSON', '{'],
    [413, 'POST', '/v1/query', 'that is too large', large],
    [415, 'POST', '/v1/query', 'of text', '{}', 'text/plain'],
    [400, 'POST', '/v1/search', 'with broken JSON', '{'],
    [415, 'POST', '/v1/files/upload', 'of JSON', '{}'],
    [400, 'POST', '/v1/tokens/create', 'without datasetId', {}],
    [415, 'POST', '/v1/tokens/create', 'of text', '{}', 'text/plain'],
  ])('%i %s %s %s: refused, and not counted', async (status, method, path, _, body, type) => {
    const customer = await newCustomer(gateway);
    const headers = new Headers(type === undefined ? {} : { 'content-type': type });
    for (const _ of [1, 2]) {
      const response = await customer.raw(method, path, body, { headers });
      const limit = response.headers.get('x-ratelimit-limit');
      expect(response.status).toBe(status);
      expect(Number(limit)).toBeGreaterThanOrEqual(10);
      expect(response.headers.get('x-ratelimit-remaining')).toBe(limit);
      expect(numberIn(response, 'x-ratelimit-reset')).toBeGreaterThanOrEqual(1);
    }
  });

  test.each<[string, unknown, string?]>([
    ['without datasetId', form()],
    ['that is broken', 'x', 'multipart/form-data; boundary=x'],
  ])('400 POST /v1/files/upload %s: the attempt is counted', async (_, body, type) => {
    const customer = await newCustomer(gateway);
    const headers = new Headers(type === undefined ? {} : { 'content-type': type });
    const response = await customer.raw('POST', '/v1/files/upload', body, { headers });
    expect(response.status).toBe(400);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
  });

  test('402 POST /v1/query: counted', async () => {
    const customer = await newCustomer(gateway, '0');
    const { status, headers } = await customer.rest('POST', '/query', asked);
    expect(status).toBe(402);
    expect(headers.get('x-ratelimit-remaining')).toBe('999');
  });

  test('500 POST /v1/search: counted', async () => {
    const customer = await newCustomer(gateway);
    faults.fail('sql.query');
    const { status, headers } = await search(customer, 0);
    expect(status).toBe(500);
    expect(headers.get('x-ratelimit-remaining')).toBe('999');
  });

  test('403 GET /v1/files of another dataset: refused, and not counted', async () => {
    const { customerId } = await newCustomer(gateway);
    const { token } = await gateway.admin.createToken(customerId, 'docs');
    const frontend = createClient(gateway, token);
    const { status, headers } = await frontend.rest('GET', '/files?datasetId=others');
    expect(status).toBe(403);
    expect(headers.get('x-ratelimit-remaining')).toBe('1000');
  });

  test('401 to nobody: there is no window to tell of', async () => {
    const { headers } = await createClient(gateway).rest('GET', '/files?datasetId=docs');
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });
});
