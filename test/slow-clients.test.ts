import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCustomer } from './support/client.ts';
import { settingsFor } from './support/databases.ts';
import { shareGateway, type TestGateway } from './support/gateway.ts';
import { type GatewayProcess, startProcess } from './support/process.ts';

let shared: TestGateway;
/** A process of its own, for what it logs. */
let gateway: GatewayProcess;
let apiKey: string;

beforeAll(async () => {
  shared = await shareGateway();
  ({ apiKey } = await newCustomer(shared));
  const settings = { ...settingsFor(shared.connection), BODY_TIMEOUT: '1', LOG_LEVEL: 'warn' };
  gateway = await startProcess(shared.dataDir, settings);
});
afterAll(async () => {
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  await shared.close();
});

test.concurrent.for<[string, string, () => string[]]>([
  ['/graphql', 'application/json', () => []],
  ['/v1/query', 'application/json', () => [`authorization: Bearer ${apiKey}`]],
  [
    '/v1/files/upload',
    'multipart/form-data; boundary=x',
    () => [`authorization: Bearer ${apiKey}`],
  ],
])('408 for a body that drips into %s', async ([path, type, more], { expect }) => {
  const client = open(path, type, more());
  const started = performance.now();
  const drip = async () => {
    while (!client.socket.destroyed) {
      client.socket.write('1\r\n \r\n');
      await setTimeout(50);
    }
  };
  await Promise.all([drip(), client.closed]);
  expect(client.heard()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(client.heard()).toContain('\r\nx-error-code: REQUEST_TIMEOUT\r\n');
  expect(performance.now() - started).toBeLessThan(5000);
});

test.concurrent('200 for an upload that comes slowly and steadily', async ({ expect }) => {
  const client = open('/v1/files/upload', 'multipart/form-data; boundary=x', [
    `authorization: Bearer ${apiKey}`,
  ]);
  const chunk = (text: string) => client.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  chunk('--x\r\ncontent-disposition: form-data; name="datasetId"\r\n\r\nslow\r\n');
  chunk('--x\r\ncontent-disposition: form-data; name="note"\r\n\r\n');
  for (let at = 0; at < 12; at++) {
    chunk('The fox is quick. '.repeat(600));
    await setTimeout(200);
  }
  chunk('\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  chunk('The fox is quick.\r\n--x--\r\n');
  client.socket.write('0\r\n\r\n');
  await expect.poll(client.heard, { timeout: 20_000 }).toContain('"success":true');
  client.socket.destroy();
});

test('a body that breaks off is no failure of the gateway: nothing is logged', async () => {
  for (const more of [[], [`authorization: Bearer ${apiKey}`]]) {
    for (const path of ['/graphql', '/v1/query']) {
      const client = open(path, 'application/json', more);
      client.socket.write('9\r\n{"query":\r\n');
      await setTimeout(50);
      client.socket.destroy();
      await client.closed;
    }
  }
  await fetch(`${gateway.url}/health`);
  await setTimeout(200);
  expect(gateway.output().stderr).toBe('');
});

/** A connection that has sent the headers of a request. */
function open(path: string, type: string, more: string[]) {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text) => {
    heard += text;
  });
  socket.on('error', () => {});
  const head = [`POST ${path} HTTP/1.1`, 'host: x', `content-type: ${type}`, ...more];
  socket.write(`${[...head, 'transfer-encoding: chunked'].join('\r\n')}\r\n\r\n`);
  return { socket, heard: () => heard, closed: once(socket, 'close') };
}
