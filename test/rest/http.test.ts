import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Callers, createCallers } from '../support/callers.ts';
import { createClient } from '../support/client.ts';
import { shareGateway, startBeside, startGateway, type TestGateway } from '../support/gateway.ts';
import { refuses } from '../support/refusals.ts';
import { send as request } from '../support/requests.ts';

let gateway: TestGateway;
let callers: Callers;
const all = () => callers;

beforeAll(async () => {
  gateway = await shareGateway();
  callers = await createCallers(gateway);
});
afterAll(() => gateway.close());

const send = (method: string, path: string, init: RequestInit = {}) =>
  request(gateway, method, path, { credential: callers.clients.key.credential, ...init });

describe('an unknown route (404)', () => {
  const row = { status: 404, as: 'key', error: 'Not found' } as const;
  refuses(
    all,
    ['GET', 'POST', 'DELETE', 'PUT'].flatMap((method) => [
      { ...row, method, path: '', what: 'alone' },
      { ...row, method, path: '/', what: 'alone' },
      { ...row, method, path: '/nothing', what: 'of nothing' },
      { ...row, method, path: '/files/', what: 'with a slash too many' },
      { ...row, method, path: '/files/a/b', what: 'with a name too many' },
      { ...row, method, path: '/FILES', what: 'in capitals' },
    ]),
  );
  test.each(['/nothing', '/v2/files', '/files', '/V1/files'])(
    '404 GET %s, without a credential: Not found',
    async (path) => {
      const response = await callers.clients.nobody.raw('GET', path);
      expect(response.status).toBe(404);
      expect(await response.json()).toStrictEqual({ error: 'Not found' });
    },
  );
});

test.each([
  ['PUT', '/v1/files', 'GET, DELETE'],
  ['POST', '/v1/files', 'GET, DELETE'],
  ['PATCH', '/v1/files/some-id', 'GET, DELETE'],
  ['POST', '/v1/files/some-id', 'GET, DELETE'],
  ['GET', '/v1/files/upload', 'POST'],
  ['DELETE', '/v1/files/upload', 'POST'],
  ['GET', '/v1/datasets/docs/files', 'DELETE'],
  ['GET', '/v1/query', 'POST'],
  ['DELETE', '/v1/search', 'POST'],
  ['GET', '/v1/tokens/create', 'POST'],
])('405 %s %s: Method not allowed, but %s', async (method, path, allow) => {
  const response = await send(method, path);
  expect(response.status).toBe(405);
  expect(await response.json()).toStrictEqual({ error: 'Method not allowed' });
  expect(response.headers.get('allow')).toBe(allow);
});

describe('HEAD', () => {
  test.each([
    [200, '/v1/files?datasetId=docs'],
    [200, '/v1/files/{file}?datasetId=docs'],
    [200, '/health'],
    [400, '/v1/files'],
    [404, '/v1/files/fox?datasetId=docs'],
    [405, '/v1/query'],
    [200, '/graphql?query={__typename}'],
    [200, '/graphql'],
  ])('%i HEAD %s: as GET, without a body', async (status, path) => {
    const response = await send('HEAD', path.replace('{file}', callers.fileId));
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
  });
});

test.each(['/', '/docs', '/graphql'])('200 GET %s: a page that is in no frame', async (path) => {
  const { headers } = await send('GET', path, { headers: { accept: 'text/html' } });
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(headers.get('content-security-policy')).toMatch(/\bframe-ancestors 'none'$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

describe('the id of a request', () => {
  test.each(['abc', 'A-b_c.9', 'x'.repeat(64)])('200 GET /health with %s: the same', async (id) => {
    const response = await send('GET', '/health', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'a b', '<script>', 'a;b', 'naïve', 'x'.repeat(65)].filter((id) => id !== '../..'))(
    '200 GET /health with %j: another',
    async (id) => {
      const response = await send('GET', '/health', { headers: { 'x-request-id': id } });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('two requests have two, whatever becomes of them', async () => {
    const paths = ['/health', '/nothing', '/v1/files', '/v1/files?datasetId=docs', '/v1/query'];
    const responses = await Promise.all(paths.map((path) => send('GET', path)));
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true);
    expect(new Set(ids).size).toBe(paths.length);
  });
});

describe('a browser of another origin', () => {
  /** Headers that browsers ask for: ours, and those of tracing and client libraries. */
  const ASKED_HEADERS = [
    ...['authorization', 'content-type', 'x-easyrag-key', 'idempotency-key'],
    ...['traceparent', 'baggage', 'sentry-trace', 'x-stainless-os', 'apollo-require-preflight'],
  ];

  const EXPOSED = [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'X-Error-Code',
    'X-Request-Id',
  ];
  const lower = (list: string | null) => (list ?? '').toLowerCase().split(/\s*,\s*/);

  test.each([
    ['GET', '/v1/files'],
    ['DELETE', '/v1/files/some-id'],
    ['POST', '/v1/files/upload'],
    ['POST', '/v1/query'],
    ['POST', '/v1/nothing'],
  ])('204 OPTIONS before %s %s: any origin may', async (method, path) => {
    const response = await callers.clients.nobody.raw('OPTIONS', path, undefined, {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': method,
        'access-control-request-headers': ASKED_HEADERS.join(),
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(lower(response.headers.get('access-control-allow-methods'))).toContain(
      method.toLowerCase(),
    );
    expect(lower(response.headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(ASKED_HEADERS),
    );
  });

  test.each([
    [200, '/v1/files?datasetId=docs'],
    [400, '/v1/files'],
    [404, '/nothing'],
  ])('%i GET %s: may be read, and its headers too', async (status, path) => {
    const response = await send('GET', path, { headers: { origin: 'https://app.example' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(lower(response.headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(EXPOSED.map((name) => name.toLowerCase())),
    );
  });

  test('200 GET /health: only the origins of CORS_ORIGINS', async () => {
    const strict = await startBeside({ CORS_ORIGINS: 'https://app.example, https://b.example' });
    const allowed = async (origin: string) => {
      const request = new Request('http://filequery.test/health', { headers: { origin } });
      return (await strict.fetch(request)).headers.get('access-control-allow-origin');
    };
    try {
      expect(await allowed('https://b.example')).toBe('https://b.example');
      expect(await allowed('https://evil.example')).toBeNull();
    } finally {
      await strict.close();
    }
  });
});

describe('health', () => {
  test('200 GET /health with the version, without a credential', async () => {
    const response = await callers.clients.nobody.raw('GET', '/health');
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({ status: 'ok', version: '0.1.0' });
  });

  test('200 GET /ready, and 503 with the names of the parts that fail, remembered for a moment', async () => {
    const check = async (of: TestGateway) => {
      const response = await createClient(of).raw('GET', '/ready');
      return { status: response.status, body: await response.json() };
    };
    const ready = { status: 200, body: { status: 'ready' } };
    const broken = { status: 503, body: { status: 'not ready', failing: ['storage'] } };
    expect(await check(gateway)).toStrictEqual(ready);

    const other = await startGateway();
    const objects = join(other.dataDir, 'objects');
    try {
      await writeFile(objects, 'a file where the folder should be');
      expect(await check(other)).toStrictEqual(broken);
      await rm(objects);
      expect(await check(other)).toStrictEqual(broken);
      await expect.poll(() => check(other), { timeout: 5000 }).toStrictEqual(ready);
    } finally {
      await other.close();
    }
  });
});
