import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAddressRules } from '../../../src/adapters/fetching/address-rules.ts';
import { createHttpFetcher } from '../../../src/adapters/fetching/http-fetcher.ts';
import { page, redirect, startWebServer, type WebServer } from '../../support/web-server.ts';

const FOX = 'The fox is quick.';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const latin1 = (name: string) => Buffer.from(name).toString('latin1');
let server: WebServer;
/** How often each name was looked up. */
const lookups: string[] = [];

beforeAll(async () => {
  server = await startWebServer({
    '/': page(FOX, HTML),
    '/notes.md': page(FOX, { 'content-type': 'text/plain' }),
    '/wiki/Node.js': page(FOX, HTML),
    '/page.htm': page(FOX, HTML),
    '/report': page(FOX, { 'content-type': 'Application/PDF' }),
    '/unknown': page(FOX),
    '/caf%C3%A9%2Fmenu%00.txt': page(FOX),
    '/%E0%A4%A.txt': page(FOX),
    '/named': page(FOX, { 'content-disposition': 'attachment; filename="a/b\\\\c.txt"' }),
    '/extended': page(FOX, {
      'content-disposition': "attachment; filename=x.txt; filename*=UTF-8''na%C3%AFve.txt",
    }),
    '/raw-utf-8': page(FOX, {
      'content-disposition': `attachment; filename="${latin1('naïve.txt')}"`,
    }),
    '/dots': page(FOX, { 'content-disposition': 'attachment; filename=".."', ...HTML }),
    '/broken-disposition': page(FOX, { 'content-disposition': '=;;', 'content-type': 'text/csv' }),
    [`/${'x'.repeat(300)}.txt`]: page(FOX),
    '/moved': redirect('/wiki/Node.js'),
    '/moved-in-utf-8': redirect(latin1('/café.txt')),
    '/caf%C3%A9.txt': page(FOX),
    '/gzip.txt': page(gzipSync(FOX), { 'content-encoding': 'gzip' }),
    '/brotli.txt': page(brotliCompressSync(FOX), { 'content-encoding': 'br' }),
    '/undecodable.txt': page(FOX, { 'content-encoding': 'gzip' }),
    '/unknown-encoding.txt': page(FOX, { 'content-encoding': 'compress' }),
  });
});
afterAll(() => server.close());

const fetcher = createHttpFetcher({
  allowed: { hosts: ['files.test'], networks: [] },
  userAgent: 'test',
  intervalMs: 5000,
  async resolve(host) {
    lookups.push(host);
    return [{ address: '127.0.0.1', family: 4 }];
  },
});
const get = (path: string) =>
  fetcher.fetch(new URL(`http://files.test:${server.port}${path}`), AbortSignal.timeout(10_000));

test.each([
  ['the last part of the path', '/notes.md', 'notes.md', 'text/plain'],
  ['without the query', '/notes.md?token=secret.pdf', 'notes.md', 'text/plain'],
  ['a page, whatever its name', '/wiki/Node.js', 'Node.js.html', 'text/html'],
  ['a page with an extension of pages', '/page.htm', 'page.htm', 'text/html'],
  ['the host of a page without a path', '/', 'files.test.html', 'text/html'],
  ['an extension by the type', '/report', 'report.pdf', 'application/pdf'],
  ['no extension without a type', '/unknown', 'unknown', null],
  ['decoded, without folders and control characters', '/caf%C3%A9%2Fmenu%00.txt', 'menu.txt', null],
  ['not decoded when that fails', '/%E0%A4%A.txt', '%E0%A4%A.txt', null],
  ['as the server calls it, without folders', '/named', 'c.txt', null],
  ['as the server calls it in UTF-8', '/extended', 'naïve.txt', null],
  ['as the server calls it in bytes of UTF-8', '/raw-utf-8', 'naïve.txt', null],
  ['the path when the server gives dots', '/dots', 'dots.html', 'text/html'],
  [
    'the path when the header is broken',
    '/broken-disposition',
    'broken-disposition.csv',
    'text/csv',
  ],
  ['at most 255 characters', `/${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`, null],
  ['of where it was found', '/moved', 'Node.js.html', 'text/html'],
  ['of where it was found by bytes of UTF-8', '/moved-in-utf-8', 'café.txt', null],
])('the name is %s', async (_, path, originalName, mimeType) => {
  const file = await get(path);
  expect(file).toMatchObject({ originalName, mimeType });
  expect(await text(file.body)).toBe(FOX);
});

test('what is encoded is decoded, and its declared size is not that of the content', async () => {
  for (const path of ['/gzip.txt', '/brotli.txt']) {
    const file = await get(path);
    expect([await text(file.body), file.size]).toEqual([FOX, undefined]);
  }
  expect((await get('/notes.md')).size).toBe(FOX.length);
  for (const path of ['/undecodable.txt', '/unknown-encoding.txt']) {
    const { body } = await get(path);
    await expect(text(body)).rejects.toMatchObject({
      code: 'URL_NOT_FETCHED',
      details: { reason: 'its server encodes it in a way that cannot be decoded' },
    });
  }
});

test('a name is looked up once for each connection, which goes to the address found', async () => {
  lookups.length = 0;
  // The system does not know the name: only the address that was checked leads to the server.
  await text((await get('/moved')).body);
  expect(lookups).toEqual(['files.test', 'files.test']);
});

const rules = createAddressRules({
  hosts: [],
  networks: [{ address: '10.1.0.0', prefix: 16 }],
});

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is not public', (address) => expect(rules.allows(address)).toBe(false));

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '192.0.1.1',
  '2606:4700:4700::1111',
  '64:ff9b::8.8.8.8',
  '10.1.2.3',
  '::ffff:10.1.2.3',
])('%s is public, or allowed', (address) => expect(rules.allows(address)).toBe(true));
