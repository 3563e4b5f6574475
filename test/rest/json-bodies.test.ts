import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { endless, PIECE, send as request, streamed } from '../support/requests.ts';

const MIB = 1024 ** 2;

let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
});
afterAll(() => gateway.close());

const send = (method: string, path: string, init: RequestInit) =>
  request(gateway, method, path, { credential: customer.credential, ...init });

const JSON_ROUTES = ['/v1/query', '/v1/search', '/v1/tokens/create'];
const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
const json = { 'content-type': 'application/json' };

describe.each(JSON_ROUTES)('of POST %s', (path) => {
  test.each(['', ' ', '{', '{"a":1}}', "{'a':1}", '[]', 'null', '"{}"', '5', 'undefined'])(
    '400 for %j: Invalid JSON body',
    async (body) => {
      const response = await send('POST', path, { headers: json, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toStrictEqual({ error: 'Invalid JSON body' });
    },
  );

  test.each(['declared', 'streamed'])('%s: a byte order mark is skipped', async (how) => {
    const body = new TextEncoder().encode(`\uFEFF${JSON.stringify({ ...asked, stream: false })}`);
    const response = await send('POST', path, {
      headers: how === 'declared' ? { ...json, 'content-length': String(body.length) } : json,
      ...(how === 'declared' ? { body } : streamed(new Blob([body]).stream())),
    });
    expect(response.status).toBe(200);
  });

  test('400 for text that is not UTF-8: it would be another text', async () => {
    const body = Buffer.from('{"datasetId":"d\xfc","question":"?"}', 'latin1');
    const response = await send('POST', path, { headers: json, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({ error: 'Invalid JSON body' });
  });

  test.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/json+x' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ])('415 for %j: Content-Type must be application/json', async (headers) => {
    const { body } = new Response(JSON.stringify(asked));
    const response = await send('POST', path, { headers, ...streamed(body as ReadableStream) });
    expect(response.status).toBe(415);
    expect(await response.json()).toStrictEqual({
      error: 'Content-Type must be application/json',
    });
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
  ])('200 for Content-Type %s', async (type) => {
    const body = JSON.stringify({ ...asked, stream: false });
    const response = await send('POST', path, { headers: { 'content-type': type }, body });
    expect(response.status).toBe(200);
  });

  test.each([
    [200, MIB, 'declared'],
    [413, MIB + 1, 'declared'],
    [200, MIB, 'streamed'],
    [413, MIB + 1, 'streamed'],
  ])('%i for %i bytes, %s', async (status, bytes, how) => {
    const empty = JSON.stringify({ ...asked, stream: false, padding: '' });
    const padding = 'x'.repeat(bytes - empty.length);
    const body = JSON.stringify({ ...asked, stream: false, padding });
    const declared = how === 'declared';
    const response = await send('POST', path, {
      headers: declared ? { ...json, 'content-length': String(bytes) } : json,
      ...(declared ? { body } : streamed(new Blob([body]).stream())),
    });
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status === 413) {
      expect(JSON.parse(text)).toStrictEqual({ error: 'Request body too large' });
    }
  });

  test('413 for a body that never ends, soon', async () => {
    const { body, taken } = endless();
    const response = await send('POST', path, { headers: json, ...streamed(body) });
    expect(response.status).toBe(413);
    expect(taken()).toBeLessThan(2 * MIB);
  });

  test('401 without a credential, before the body is read', async () => {
    const { body, taken } = endless();
    const response = await request(gateway, 'POST', path, { headers: json, ...streamed(body) });
    expect(response.status).toBe(401);
    // A stream fills its own queue before anybody reads.
    expect(taken()).toBeLessThanOrEqual(PIECE);
  });
});

test.each([
  [400, json, '{', 'Invalid JSON body'],
  [400, json, '[]', 'Invalid JSON body'],
  [413, json, ' '.repeat(MIB + 1), 'Request body too large'],
  [404, json, '', 'File not found'],
  [404, { 'content-type': 'text/plain' }, 'any', 'File not found'],
])('%i DELETE /v1/files/:fileId?datasetId=docs with %j', async (status, headers, body, error) => {
  const response = await send('DELETE', '/v1/files/fox?datasetId=docs', { headers, body });
  expect(response.status).toBe(status);
  expect(await response.json()).toStrictEqual({ error });
});
