import { existsSync } from 'node:fs';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { UploadFilesDocument } from '../src/generated/graphql.ts';
import { createClient, newCustomer } from './support/client.ts';
import { createFaults } from './support/faults.ts';
import { FOX, file, form } from './support/forms.ts';
import { startBeside, type TestGateway } from './support/gateway.ts';
import { multipart } from './support/graphql.ts';
import { endless, send, streamed } from './support/requests.ts';

const faults = createFaults();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startBeside({ UPLOADS_AT_ONCE: '1' }, faults.override);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const TRANSPORTS = [
  ['REST', '/v1/files/upload'],
  ['GraphQL', '/graphql'],
] as const;
const headers = { 'content-type': 'multipart/form-data; boundary=x' };

/** Sends a body without an end. */
async function upload(path: string, credential: string, more: Record<string, string> = {}) {
  const { body, taken } = endless();
  const init = { ...streamed(body), credential, headers: { ...headers, ...more } };
  const response = await send(gateway, 'POST', path, init);
  const answer = await response.json();
  expect(taken()).toBeLessThan(1024 ** 2);
  expect(await readdir(join(gateway.dataDir, 'incoming')).catch(() => [])).toEqual([]);
  return { response, said: answer.error ?? answer.errors[0].message };
}

describe.each(TRANSPORTS)('over %s an upload is refused before it is read', (_, path) => {
  test('402 without credits for one file', async () => {
    const poor = await newCustomer(gateway, '0.9');
    const { response, said } = await upload(path, poor.apiKey);
    expect(response.status).toBe(402);
    expect(said).toBe('INSUFFICIENT_CREDITS');
    expect((await gateway.admin.showCredits(poor.customerId)).credits).toBe('0.9');
  });

  test('429 when the window is full, and every attempt counts', async () => {
    const poor = await newCustomer(gateway, '0');
    for (let at = 0; at < 100; at++) await upload(path, poor.apiKey);
    const { response, said } = await upload(path, poor.apiKey);
    expect(response.status).toBe(429);
    expect(said).toBe('Rate limit exceeded');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('413 when it says that it is larger than 2 GB', async () => {
    const me = await newCustomer(gateway);
    const { response, said } = await upload(path, me.apiKey, {
      'content-length': String(2.1 * 1024 ** 3),
    });
    expect(response.status).toBe(413);
    expect(said).toBe('Request body too large');
  });
});

test('403 with a token of another dataset than the URL names, before it is read', async () => {
  const { customerId } = await newCustomer(gateway);
  const { token } = await gateway.admin.createToken(customerId, 'docs');
  const { response, said } = await upload('/v1/files/upload?datasetId=other', token);
  expect(response.status).toBe(403);
  expect(said).toBe('datasetId mismatch between token and body');
});

test('an upload that is taken in counts once, and may name its dataset in the URL', async () => {
  const me = await newCustomer(gateway, '5');
  const reply = await me.rest(
    'POST',
    '/files/upload?datasetId=from-url',
    form([['file', file('fox.txt')]]),
  );
  expect(reply.status).toBe(200);
  expect(reply.body.files).toMatchObject([{ datasetId: 'from-url' }]);
  expect(reply.headers.get('x-ratelimit-remaining')).toBe('99');
  expect((await me.upload('docs', { 'fox.txt': FOX })).headers.get('x-ratelimit-remaining')).toBe(
    '98',
  );
});

test('uploads beyond UPLOADS_AT_ONCE wait, unread, and another customer does not', async () => {
  const me = await newCustomer(gateway);
  const other = await newCustomer(gateway);
  const begin = (body: ReadableStream, { signal }: AbortController) => {
    const init = { ...streamed(body), credential: me.apiKey, headers, signal };
    return send(gateway, 'POST', '/v1/files/upload', init);
  };
  const [leaving, bored] = [new AbortController(), new AbortController()];
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const stalled = new ReadableStream({ pull: () => resolve() }, { highWaterMark: 0 });
  const first = begin(stalled, leaving);
  await isRead;
  const { body, taken } = endless();
  const second = begin(body, bored);
  const third = me.upload('docs', { 'fox.txt': FOX });
  expect((await other.upload('docs', { 'fox.txt': FOX })).status).toBe(200);
  expect(taken()).toBeLessThan(1024 ** 2);
  bored.abort();
  leaving.abort();
  await Promise.allSettled([first, second]);
  expect((await third).status).toBe(200);
});

test.each(TRANSPORTS)(
  'over %s an upload whose client leaves gives its turn back',
  async (_, path) => {
    const me = await newCustomer(gateway);
    const one = { name: 'fox.txt', content: FOX, places: ['variables.files.0'] };
    const body = path.endsWith('upload')
      ? form([
          ['datasetId', 'left'],
          ['file', file('fox.txt')],
        ])
      : multipart(UploadFilesDocument, { datasetId: 'left', files: [null] }, [one]);
    for (let at = 0; at < 3; at++) {
      const client = new AbortController();
      const stored = Promise.withResolvers<void>();
      faults.before('storage.put', async () => {
        stored.resolve();
        client.abort();
        await setTimeout(20);
      });
      await me.raw('POST', path, body, { signal: client.signal }).catch(() => {});
      await stored.promise;
    }
    faults.mend();
    expect((await me.upload('docs', { 'fox.txt': FOX })).status).toBe(200);
    expect(await readdir(join(gateway.dataDir, 'incoming'))).toEqual([]);
  },
);

test.runIf(existsSync('/dev/full'))('500 when the disk is full, however much is sent', async () => {
  const { apiKey } = await newCustomer(gateway);
  const incoming = join(gateway.dataDir, 'incoming');
  async function* pieces() {
    yield '--x\r\nContent-Disposition: form-data; name="datasetId"\r\n\r\ndocs\r\n--x\r\n';
    await expect.poll(() => readdir(incoming)).toHaveLength(1);
    const [folder = ''] = await readdir(incoming);
    await symlink('/dev/full', join(incoming, folder, '0'));
    yield 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    for (;;) yield 'The disk is full. '.repeat(1000);
  }
  const text = Readable.toWeb(Readable.from(pieces())) as ReadableStream<string>;
  const body = text.pipeThrough(new TextEncoderStream());
  const init = { ...streamed(body), credential: apiKey, headers };
  expect((await send(gateway, 'POST', '/v1/files/upload', init)).status).toBe(500);
  expect(await readdir(incoming)).toEqual([]);
});

test('a GraphQL request without a credential has at most 64 kB', async () => {
  const query = JSON.stringify({ query: '{ __typename }' });
  const ask = async (bytes: number, credential?: string) =>
    (await createClient(gateway, credential).raw('POST', '/graphql', query.padEnd(bytes))).status;
  const { apiKey } = await newCustomer(gateway);
  expect(await ask(64 * 1024)).toBe(200);
  expect(await ask(64 * 1024 + 1)).toBe(413);
  expect(await ask(64 * 1024 + 1, apiKey)).toBe(200);
});
