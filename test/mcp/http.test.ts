import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCustomer } from '../support/client.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { type ListeningGateway, startListening } from '../support/listening.ts';
import { callTool, connectMcp, PROTOCOL_VERSIONS } from '../support/mcp.ts';

let gateway: TestGateway;
let apiKey: string;

beforeAll(async () => {
  gateway = await startBeside({ CORS_ORIGINS: 'https://app.example' });
  ({ apiKey } = await newCustomer(gateway, '1'));
});
afterAll(() => gateway.close());

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** A request to `/mcp`, as a client of version 2025-06-18 sends it. */
function post(body: unknown, headers: Record<string, string> = {}, url = 'http://filequery.test') {
  return new Request(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The messages of a response, from JSON or an event stream. */
async function messagesOf(response: Response) {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('event-stream')) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => JSON.parse(json));
}

test.each(PROTOCOL_VERSIONS.slice(0, 3))('200: negotiates version %s', async (protocolVersion) => {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const [message] = await messagesOf(await gateway.fetch(post(request)));
  expect(message.result).toMatchObject({
    protocolVersion,
    serverInfo: { name: 'filequery' },
    capabilities: { tools: {}, resources: {} },
    instructions: expect.stringContaining('ask'),
  });
});

test('200: answers a version it does not know with one that it does', async () => {
  const params = {
    protocolVersion: '2031-01-01',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const [message] = await messagesOf(await gateway.fetch(post(request)));
  expect(message.result.protocolVersion).toBe('2025-11-25');
});

test('200: needs no session: a request may be the first', async () => {
  const response = await gateway.fetch(post(LIST));
  expect(response.headers.has('mcp-session-id')).toBe(false);
  const [{ result }] = await messagesOf(response);
  expect(result.tools).toHaveLength(5);
});

test('200: a batch, as version 2025-03-26 has it', async () => {
  const batch = [LIST, { ...LIST, id: 2, method: 'resources/list' }];
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  const messages = await messagesOf(await gateway.fetch(post(batch, headers)));
  expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
});

test('202: a notification', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect((await gateway.fetch(post(notification))).status).toBe(202);
});

describe('refuses', () => {
  test.each([
    ['without a credential', '', 'Missing API key or token', 'Bearer realm="filequery"'],
    [
      'with a wrong one',
      'Bearer fq_wrong',
      'Invalid API key or token',
      'Bearer realm="filequery", error="invalid_token"',
    ],
  ])('401 %s, before the body is read', async (_, authorization, message, challenge) => {
    const response = await gateway.fetch(post('{', { authorization }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { message } });
  });

  test.each([
    ['no JSON', '{', {}, 400, 'Invalid JSON body'],
    ['text', 'x', { 'content-type': 'text/plain' }, 415, 'Content-Type must be application/json'],
    ['too much', ' '.repeat(1024 ** 2 + 1), {}, 413, 'Request body too large'],
    ['a batch of 21', Array(21).fill(LIST), {}, 400, 'a batch must have at most 20 messages'],
    [
      'thousands of wrong values',
      { ...LIST, params: { _meta: { wrong: Array(5000).fill(null) } } },
      {},
      400,
      'a request must have at most 5000 values',
    ],
  ])('%s', async (_, body, headers, status, message) => {
    const response = await gateway.fetch(post(body, headers));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message } });
  });

  test.each(['GET', 'DELETE', 'PUT'])(
    '405 %s: there are no sessions and no streams',
    async (method) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const request = new Request('http://filequery.test/mcp', { method, headers });
      const response = await gateway.fetch(request);
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    },
  );

  test('403 pages of other origins than CORS_ORIGINS', async () => {
    const from = (origin: string) => gateway.fetch(post(LIST, { origin }));
    expect((await from('https://app.example')).status).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'http://localhost']) {
      expect((await from(origin)).status).toBe(403);
    }
  });
});

describe('a gateway that only this computer can reach', () => {
  let local: ListeningGateway;
  let localKey: string;

  beforeAll(async () => {
    local = await startListening({ HOST: '127.0.0.1' });
    const { apiKey: key } = await local.app.admin.createCustomer({ name: 'test', credits: '1' });
    localKey = key;
  });
  afterAll(() => local.stop());

  const send = (url: string, headers: Record<string, string> = {}) =>
    local.app.fetch(post(LIST, { authorization: `Bearer ${localKey}`, ...headers }, url));

  test('serves the SDK over the wire', async () => {
    const { fetch } = local;
    const client = await connectMcp({ fetch, credential: localKey, datasetId: 'docs' });
    expect(await callTool(client, 'list_files')).toEqual({ files: [] });
    await client.close();
  });

  test.each(['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000'])(
    '200 at %s, for pages of this computer',
    async (url) => {
      expect((await send(url)).status).toBe(200);
      expect((await send(url, { origin: 'http://localhost:6274' })).status).toBe(200);
      expect((await send(url, { origin: 'https://evil.example' })).status).toBe(403);
    },
  );

  test.each(['http://evil.example:4000', 'http://127.0.0.1.evil.example', 'http://localhost.evil'])(
    '403 at %s, to which somebody points their own name',
    async (url) => {
      const response = await send(url);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining('PUBLIC_URL') },
      });
    },
  );
});
