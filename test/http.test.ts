import { request } from 'node:http';
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

/** Sends a request target as it is: `fetch` would resolve the dots. */
function send(
  method: string,
  path: string,
  credential: string,
): Promise<{ status: number | undefined; body: unknown }> {
  const { hostname, port } = new URL(server.url);
  const headers = { authorization: `Bearer ${credential}` };
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers }, async (response) => {
      const parts = await response.toArray();
      resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) });
    })
      .on('error', reject)
      .end();
  });
}
