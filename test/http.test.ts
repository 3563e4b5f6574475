import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../src/http/listen.ts';
import { newCustomer } from './support/client.ts';
import { shareGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
let server: Listening;

beforeAll(async () => {
  gateway = await shareGateway();
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.stop();
  await gateway.close();
});

test.each([
  '/v1/datasets/../files',
  '/v1/datasets/%2e%2E/files',
  '/v1/datasets/.%2e/files',
  '/v1/datasets/docs/./files',
  '/v1/datasets/..',
])('400 DELETE %s as it stands: the customer keeps the files', async (target) => {
  const customer = await newCustomer(gateway);
  await customer.upload('docs', { 'a.txt': 'A text to keep.' });
  expect(await send('DELETE', target, customer.apiKey)).toStrictEqual({
    status: 400,
    requestId: expect.stringMatching(/^[\w-]{36}$/),
    body: { error: 'The path must have no . or .. segment' },
  });
  const { body } = await customer.rest('GET', '/files?datasetId=docs');
  expect(body.files).toHaveLength(1);
});

test('200 GET with dots that are no segments', async () => {
  const customer = await newCustomer(gateway);
  for (const datasetId of ['...', 'a..b', '.a', 'a.']) {
    const target = `/v1/files?datasetId=${datasetId}&note=/../`;
    expect(await send('GET', target, customer.apiKey)).toMatchObject({ status: 200 });
  }
});

test.each([
  ['GET', '/v1/files?datasetId=docs', 200],
  ['HEAD', '/v1/files?datasetId=docs', 200],
  ['GET', '/v1/files/unknown?datasetId=docs', 404],
  ['PUT', '/v1/files', 405],
  ['OPTIONS', '/v1/files', 204],
  ['GET', '/graphql?query={__typename}', 200],
  ['GET', '/nowhere', 404],
])('%s %s: %i with the headers that the fetch handler gives', async (method, path, status) => {
  const { apiKey } = await newCustomer(gateway);
  const headers = {
    ...{ authorization: `Bearer ${apiKey}`, 'x-request-id': 'asked-twice' },
    ...{ origin: 'https://app.example', 'access-control-request-method': 'GET' },
  };
  const given = await gateway.fetch(new Request(`${server.url}${path}`, { method, headers }));
  const sent = await fetch(`${server.url}${path}`, { method, headers });
  expect(sent.status).toBe(status);
  expect(given.status).toBe(status);
  expect(comparable(sent)).toStrictEqual(comparable(given));
  expect(comparable(sent)).toMatchObject({
    'x-request-id': 'asked-twice',
    'server-timing': expect.stringContaining('total;dur='),
    'access-control-allow-origin': '*',
  });
});

const LONG = 'x'.repeat(20_000);

test.each([
  [400, 'INVALID_INPUT', 'no request\r\n\r\n'],
  [400, 'INVALID_INPUT', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
  [400, 'INVALID_INPUT', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'],
  [431, 'HEADERS_TOO_LARGE', `GET /${LONG} HTTP/1.1\r\n\r\n`],
  [431, 'HEADERS_TOO_LARGE', `GET / HTTP/1.1\r\na: ${LONG}\r\n\r\n`],
  [413, 'BODY_TOO_LARGE', `${chunked()}1;${LONG}`],
])('%i %s in the form of all errors, for what is not valid HTTP', async (status, code, text) => {
  const before = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
  for (const sent of [text, before + text]) {
    const heard = await exchange(sent);
    const [head = '', body = ''] = heard.slice(heard.lastIndexOf('HTTP/1.1')).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain(`\r\nx-error-code: ${code}`);
    expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/request/i) });
  }
});

/** The headers of a request whose handler waits for its body. */
function chunked(): string {
  const type = 'content-type: application/json';
  return `POST /graphql HTTP/1.1\r\nhost: x\r\n${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
}

/** The headers of a response without those of the connection, and without counts and times. */
function comparable({ headers }: Response): Record<string, string> {
  const isOfConnection = /^(connection|keep-alive|date|content-length|transfer-encoding)$/;
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !isOfConnection.test(name))
      .map(([name, value]) => [
        name,
        /^(x-ratelimit-.*|server-timing)$/.test(name) ? value.replaceAll(/[\d.]+/g, 'n') : value,
      ]),
  );
}

test('200 for HTTP/1.0, which has no Host', async () => {
  expect(await exchange('GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 .*"status":"ok"/s);
});

test('200 on the connection of a request whose body was too large', async () => {
  const { apiKey } = await newCustomer(gateway);
  const headers = [
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const large = `POST /v1/query HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${piece.repeat(40)}0\r\n\r\n`;
  const next = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const answers = await exchange(large + next);
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['413', '200']);
});

test('a stream ends the connection of a client that asks for it', async () => {
  const { apiKey } = await newCustomer(gateway);
  const body = JSON.stringify({ datasetId: 'docs', question: 'Is the fox quick?' });
  const headers = [
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const start = performance.now();
  const answer = await exchange(
    `POST /v1/query HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n.*"done":true/is);
  // Node would close it as idle after some seconds.
  expect(performance.now() - start).toBeLessThan(4000);
});

test('a credential with thousands of spaces takes no longer than another of its length', async () => {
  const { cpuUsage } = process;
  const cost = async (between: string) => {
    const headers = { authorization: `Bearer a${between}b` };
    const start = cpuUsage();
    for (let count = 0; count < 10; count++) {
      const request = new Request(`${server.url}/v1/files`, { headers });
      expect((await gateway.fetch(request)).status).toBe(401);
    }
    return cpuUsage(start).user / 1000;
  };
  await cost('');
  // In milliseconds: a quadratic search takes two seconds.
  expect(await cost(' '.repeat(15_000))).toBeLessThan((await cost('x'.repeat(15_000))) + 500);
});

/** Sends the text of a request as it is. */
async function exchange(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  return Buffer.concat(await socket.toArray()).toString();
}

/** Sends a request target as it is: `fetch` would resolve the dots. */
function send(
  method: string,
  path: string,
  credential: string,
): Promise<{ status: number | undefined; requestId: unknown; body: unknown }> {
  const { hostname, port } = new URL(server.url);
  const headers = { authorization: `Bearer ${credential}` };
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers }, async (response) => {
      const parts = await response.toArray();
      resolve({
        status: response.statusCode,
        requestId: response.headers['x-request-id'],
        body: JSON.parse(Buffer.concat(parts).toString()),
      });
    })
      .on('error', reject)
      .end();
  });
}
