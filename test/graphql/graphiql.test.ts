import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let page: string;

beforeAll(async () => {
  gateway = await shareGateway();
  const response = await open('/graphql');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  page = await response.text();
});
afterAll(() => gateway.close());

it('loads nothing from anywhere', () => {
  const markup = page.replaceAll(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/gi, '$1$2');
  const named = [
    ...markup.matchAll(/\s(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi),
    ...markup.matchAll(/(?:@import\s*|\burl\(\s*)["']?([^"')\s;]+)/gi),
  ].map(([, url = '']) => url);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((url) => !/^(data:|#)/.test(url))).toEqual([]);
});

describe('is sent compressed', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', promisify(brotliDecompress)],
    ['gzip', 'gzip, br;q=0', promisify(gunzip)],
  ])('with %s', async (encoding, accepted, decompress) => {
    const response = await open('/graphql', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(1e6);
    expect((await decompress(bytes)).toString()).toBe(page);
  });

  it('unless the browser cannot read it', async () => {
    const response = await open('/graphql', { 'accept-encoding': 'deflate' });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(page);
  });
});

it('is sent again only when it has changed', async () => {
  const headers = { 'accept-encoding': 'br' };
  const first = await open('/graphql', headers);
  const etag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect(first.headers.get('vary')).toBe('accept, accept-encoding');
  const second = await open('/graphql', { ...headers, 'if-none-match': `"other", ${etag}` });
  expect(second.status).toBe(304);
  expect(second.headers.get('etag')).toBe(etag);
  expect(await second.text()).toBe('');
  const other = await open('/graphql', { 'if-none-match': 'W/"other"' });
  expect(other.status).toBe(200);
});

it('answers HEAD as GET, without the page', async () => {
  const response = await open('/graphql', {}, 'HEAD');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await response.text()).toBe('');
});

/** As a browser does. */
function open(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const accept = 'text/html,application/xhtml+xml';
  return createClient(gateway).raw(method, path, undefined, { headers: { accept, ...headers } });
}
