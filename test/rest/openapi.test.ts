import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { document, isAsDescribed } from '../support/rest-document.ts';

/* Every reply of a REST route in any test is checked against the document by the client of the tests. */

let gateway: TestGateway;
let client: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  client = await newCustomer(gateway);
  await client.upload('docs', { 'fox.txt': 'The fox is quick.' });
});
afterAll(() => gateway.close());

const get = async (path: string, headers: Record<string, string> = {}) =>
  gateway.fetch(new Request(`http://filequery.test${path}`, { headers }));

describe('GET /v1/openapi.json', () => {
  it('comes without a credential', async () => {
    const response = await get('/v1/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toStrictEqual(JSON.parse(JSON.stringify(document())));
  });

  it('comes compressed, and only once', async () => {
    const { headers, body } = await get('/v1/openapi.json', { 'accept-encoding': 'br, gzip' });
    expect(headers.get('content-encoding')).toBe('gzip');
    const text = await new Response(body?.pipeThrough(new DecompressionStream('gzip'))).text();
    expect(JSON.parse(text)).toHaveProperty('openapi', '3.1.0');
    const plain = await get('/v1/openapi.json', { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers.get('content-encoding')).toBeNull();

    const etag = headers.get('etag') ?? '';
    const again = await get('/v1/openapi.json', { 'if-none-match': etag });
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' });
    expect((await get('/v1/openapi.json', { 'if-none-match': 'W/"other"' })).status).toBe(200);
  });

  it('has every route', () => {
    const paths = Object.entries(document()['paths'] as Record<string, object>);
    expect(
      paths.flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`)),
    ).toMatchInlineSnapshot(`
        [
          "get /v1/files",
          "delete /v1/files",
          "post /v1/files/upload",
          "get /v1/files/{fileId}",
          "delete /v1/files/{fileId}",
          "delete /v1/datasets/{datasetId}/files",
          "post /v1/query",
          "post /v1/search",
          "post /v1/tokens/create",
          "delete /v1/tokens/{tokenId}",
        ]
      `);
  });

  it('has the prices of the gateway, and the limits of each operation', () => {
    const paths = JSON.stringify(document()['paths']);
    expect(paths).toContain('Costs 0.1 credits. At most 1000 calls a minute.');
    expect(paths).toContain('Costs 1 credit for each file. At most 100 calls a minute.');
  });
});

describe('the document', () => {
  const lint = async (text: string) =>
    lintFromString({
      source: text,
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: ['recommended-strict'] }),
    });

  it('has nothing that a linter would report', async () => {
    const problems = await lint(JSON.stringify(document()));
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('is linted: a mistake would be reported', async () => {
    const broken = JSON.stringify(document()).replaceAll('schemas/Billing"', 'schemas/Bill"');
    expect(await lint(broken)).not.toEqual([]);
  });
});

type Body = Record<string, unknown>;

/** The content of the body of an operation. */
const bodyOf = (path: string): { example: Body } =>
  // biome-ignore lint/suspicious/noExplicitAny: a document of any form
  (document() as any).paths[path].post.requestBody.content['application/json'];

test.each(['/v1/search', '/v1/query', '/v1/tokens/create'])(
  'the example of %s is answered',
  async (path) => {
    const { status } = await client.rest('POST', path.slice(3), bodyOf(path).example);
    expect(status).toBe(200);
  },
);

test('the example of a file has the form of a real one', async () => {
  const { files } = (await client.rest('GET', '/files?datasetId=docs')).body;
  const { file } = (await client.rest('GET', `/files/${files[0].fileId}?datasetId=docs`)).body;
  // biome-ignore lint/suspicious/noExplicitAny: a document of any form
  const { LinkedFile } = (document() as any).components.schemas;
  expect(formOf(LinkedFile.examples[0])).toEqual(formOf(file));
});

/** What is alike in all files: how their fields are built from their ids and their name. */
function formOf(file: Record<string, string>) {
  const { customerId, fileId, originalName, filePath, permanentUrl, loaderId } = file;
  const { pathname, searchParams } = new URL(permanentUrl ?? '');
  return {
    fields: Object.keys(file),
    filePath: filePath
      ?.replace(`${customerId}`, 'customerId')
      .replace(`${fileId}-${originalName}`, 'fileId-name'),
    loaderId: loaderId?.replaceAll(/[0-9a-f]/g, '0'),
    download: [
      pathname.endsWith(`${filePath}`),
      ...searchParams.keys(),
      searchParams.get('expires'),
    ],
  };
}

const value = { key: 'a', match: { value: 1 } };
test.each<[what: string, body: Body]>([
  ['limit: the least', { limit: 1 }],
  ['limit: the most', { limit: 50 }],
  ['limit: less', { limit: 0 }],
  ['limit: more', { limit: 51 }],
  ['limit: a fraction', { limit: 1.5 }],
  ['mode: a known one', { mode: 'keyword' }],
  ['mode: an unknown one', { mode: 'fast' }],
  ['question: too long', { question: 'a'.repeat(32_001) }],
  ['question: a number', { question: 1 }],
  ['question: empty', { question: '' }],
  ['datasetId: the longest', { datasetId: 'a'.repeat(100) }],
  ['datasetId: longer', { datasetId: 'a'.repeat(101) }],
  ['filters: a value', { filters: [value] }],
  ['filters: a group', { filters: { must: [value], must_not: value } }],
  ['filters: a group in a group', { filters: [{ should: [{ must: [value] }] }] }],
  ['filters: any', { filters: [{ key: 'a', match: { any: [1, 'a', true] } }] }],
  ['filters: any, with an object', { filters: [{ key: 'a', match: { any: [{}] } }] }],
  ['filters: a range', { filters: [{ key: 'a', range: { gte: 1, lt: null } }] }],
  ['filters: a range of texts', { filters: [{ key: 'a', range: { gte: '1' } }] }],
  ['filters: a group with another member', { filters: { must: [], may: [] } }],
  ['filters: no key', { filters: [{ match: { value: 1 } }] }],
  ['filters: too many', { filters: Array.from({ length: 51 }, () => value) }],
  ['filters: a text', { filters: 'a' }],
])('document and gateway take or refuse the same body of a search: %s', async (_, part) => {
  const body = { datasetId: 'docs', question: 'quick?', ...part };
  const { status } = await client.rest('POST', '/search', body);
  const pointer = ['requestBody', 'content', 'application/json', 'schema'];
  expect([200, 400]).toContain(status);
  expect(isAsDescribed(body, 'paths', '/v1/search', 'post', ...pointer)).toBe(status === 200);
});

describe('GET /docs', () => {
  it('is a page that names no other host, and may load nothing from one', async () => {
    const response = await get('/docs');
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    const page = await response.text();
    expect(page).not.toMatch(/\/\//);
    expect(page).toContain('<redoc spec-url="v1/openapi.json"');
  });

  it('brings its script, compressed', async () => {
    const page = await (await get('/docs')).text();
    const [, script = ''] = /<script src="([^"]+)"/.exec(page) ?? [];
    const { pathname } = new URL(script, 'http://filequery.test/docs');
    const { status, headers, body } = await get(pathname, { 'accept-encoding': 'gzip' });
    expect({ status, encoding: headers.get('content-encoding') }).toEqual({
      ...{ status: 200, encoding: 'gzip' },
    });
    expect(Number(headers.get('content-length'))).toBeLessThan(400_000);
    const text = await new Response(body?.pipeThrough(new DecompressionStream('gzip'))).text();
    expect(text).toContain('Redoc');
    expect(text).toContain('(prefers-color-scheme: dark)');
    expect(text).not.toContain('cdn.redoc.ly');
    const etag = headers.get('etag') ?? '';
    expect((await get(pathname, { 'if-none-match': etag })).status).toBe(304);
  });
});
