import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { HARD_NAMES, nameIn } from '../support/file-names.ts';
import { shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';

const NAME = 'naïve 漢字 "q".md';
const TEXT = 'The fox is quick.';

let gateway: TestGateway;
let customer: Client;
let url: string;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  url = await permanentUrl(await upload(NAME));
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => gateway.close());

async function upload(name: string): Promise<string> {
  const { body } = await customer.upload('docs', { [name]: TEXT });
  return body.files[0].fileId;
}

async function permanentUrl(fileId: string): Promise<string> {
  return (await customer.rest('GET', `/files/${fileId}?datasetId=docs`)).body.file.permanentUrl;
}

/** As a browser would: with nothing but the URL. */
async function download(from: string, init: RequestInit = {}): Promise<Response> {
  return gateway.fetch(new Request(from, init));
}

test('200 GET permanentUrl: the file, its type and its true name', async () => {
  const response = await download(url);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(TEXT);
  expect(response.headers.get('content-type')).toMatch(/^text\/markdown/);
  expect(response.headers.get('content-length')).toBe(String(TEXT.length));
  expect(response.headers.get('accept-ranges')).toBe('bytes');
});

test.each(HARD_NAMES)(
  '200 GET permanentUrl: Content-Disposition gives a name with %s',
  async (_, name) => {
    const response = await download(await permanentUrl(await upload(name)));
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(TEXT);
    expect(disposition).toMatch(/^attachment; /);
    expect(nameIn(disposition)).toBe(name);
  },
);

test('200 HEAD permanentUrl: the same headers, and no body', async () => {
  const [get, head] = [await download(url), await download(url, { method: 'HEAD' })];
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
  const named = ({ headers }: Response) =>
    [...headers].filter(([name]) => !['x-request-id', 'date', 'server-timing'].includes(name));
  expect(named(head)).toEqual(named(get));
});

test.each([
  ['bytes=0-2', 206, 'The', `bytes 0-2/17`],
  ['bytes=4-6', 206, 'fox', `bytes 4-6/17`],
  ['bytes=11-', 206, 'quick.', `bytes 11-16/17`],
  ['bytes=-6', 206, 'quick.', `bytes 11-16/17`],
  ['bytes=-100', 206, TEXT, `bytes 0-16/17`],
  ['bytes=11-999', 206, 'quick.', `bytes 11-16/17`],
  ['bytes=17-', 416, '', `bytes */17`],
  ['bytes=0-2,4-6', 200, TEXT, null],
  ['bytes=fox', 200, TEXT, null],
  ['lines=0-2', 200, TEXT, null],
])('GET permanentUrl with Range: %s: %i', async (range, status, text, contentRange) => {
  const response = await download(url, { headers: { range } });
  expect(response.status).toBe(status);
  expect(await response.text()).toBe(text);
  expect(response.headers.get('content-range')).toBe(contentRange);
});

test('206 HEAD permanentUrl with Range: the length of the part, and no body', async () => {
  const response = await download(url, { method: 'HEAD', headers: { range: 'bytes=4-6' } });
  expect(response.headers.get('content-length')).toBe('3');
  expect(await response.text()).toBe('');
});

test('200 GET /v1/files/:fileId: the same permanentUrl at every reading, also of two at once', async () => {
  const fileId = await upload('again.txt');
  const read = () => permanentUrl(fileId);
  const urls = [...(await Promise.all([read(), read(), read()])), await read()];
  expect(new Set(urls).size).toBe(1);
});

describe('a permanentUrl', () => {
  test.each([
    ['2490-12-31T23:59:59Z', 200],
    ['2492-01-01T00:00:00Z', 403],
  ])('at %s: %i', async (now, status) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    expect((await download(url)).status).toBe(status);
  });

  test.each([
    ['another name', (signed: URL) => signed.searchParams.set('name', 'virus.exe')],
    ['a later end', (signed: URL) => signed.searchParams.set('expires', '99999999999999')],
    ['no signature', (signed: URL) => signed.searchParams.delete('signature')],
    ['another path', (signed: URL) => signed.searchParams.set('signature', 'A'.repeat(43))],
    ['a path that climbs', (signed: URL) => (signed.pathname += '/../../../token-secret')],
    ['a path that climbs in disguise', (signed: URL) => (signed.pathname += '/%2e%2e%2ftoken')],
  ])('403 with %s: Invalid or expired download link', async (_, tamper) => {
    const signed = new URL(url);
    tamper(signed);
    const response = await download(signed.href);
    expect(response.status).toBe(403);
    expect(await response.json()).toStrictEqual({ error: 'Invalid or expired download link' });
  });

  test('404 of a file that was deleted: File not found', async () => {
    const fileId = await upload('gone.txt');
    const gone = await permanentUrl(fileId);
    await customer.rest('DELETE', `/files/${fileId}?datasetId=docs`);
    const response = await download(gone);
    expect(response.status).toBe(404);
    expect(await response.json()).toStrictEqual({ error: 'File not found' });
  });

  test('200 of a page: a browser shows nothing of it as ours', async () => {
    const { headers } = await download(await permanentUrl(await upload('page.html')));
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
  });
});

test('200 behind a proxy that serves the gateway below a path of PUBLIC_URL', async () => {
  const behind = await startBeside({ PUBLIC_URL: 'https://proxy.example/files/' });
  try {
    const caller = await newCustomer(behind);
    const { body } = await caller.upload('docs', { 'fox.txt': 'The fox is quick.' });
    const [{ fileId }] = body.files;
    const got = await caller.rest('GET', `/files/${fileId}?datasetId=docs`);
    const url: string = got.body.file.permanentUrl;
    expect(url).toMatch(/^https:\/\/proxy\.example\/files\/storage\//);
    const passedOn = url.replace('/files/storage/', '/storage/');
    expect(await (await behind.fetch(new Request(passedOn))).text()).toBe('The fox is quick.');
  } finally {
    await behind.close();
  }
});
