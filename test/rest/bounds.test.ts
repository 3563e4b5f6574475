import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Callers, createCallers } from '../support/callers.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { refuses } from '../support/refusals.ts';

const color = { key: 'color', match: { value: 'red' } };

const WRONG_FILTERS: [object, string][] = [
  [{ must: '' }, 'a filter must be an object with key and match'],
  [[color, { key: 'a', match: { any: 'red' } }], 'match.any of a filter must be an array'],
  [
    [{ key: 'a', match: { any: [null] } }],
    'each value in match.any of a filter must be a string, a number or a boolean',
  ],
  [
    [{ key: 'a', match: { except: ['r\0d'] } }],
    'each value in match.except of a filter must be readable text',
  ],
  [
    [{ key: 'a', match: { any: [1], except: [2] } }],
    'match of a filter has either value, any or except',
  ],
  [[{ key: 'a', match: { value: 1 }, range: { gt: 1 } }], 'a filter has either a match or a range'],
  [[{ key: 'a', range: {} }], 'range of a filter must be an object with gt, gte, lt or lte'],
  [
    [{ key: 'a', range: { above: 1 } }],
    'range of a filter must be an object with gt, gte, lt or lte',
  ],
  [[{ key: 'a', range: { gt: '1' } }], 'the bounds of a range must be numbers'],
  [[{ is_empty: { key: 'a' } }], 'a filter needs a key: a metadata field name'],
  [{ must: [color], not: [color] }, 'a group of filters has nothing but must, should and must_not'],
  [{ must: [1] }, 'a filter must be an object with key and match'],
  [{ must: Array(26).fill(color), should: Array(26).fill(color) }, 'filters must be at most 50'],
  [Array(51).fill({ must: [] }), 'groups of filters must be at most 50'],
  [[anyOf(600), anyOf(401)], 'values of filters must be at most 1000'],
  [
    [{ key: 'a', match: { any: Array(1001).fill(null) } }],
    'values of filters must be at most 1000',
  ],
  [nest(color, 6), 'filters must be at most 5 groups deep'],
];

function anyOf(count: number) {
  return { key: 'a', match: { any: Array.from({ length: count }, (_, at) => at) } };
}

/** A filter in this many groups. */
function nest(filter: object, depth: number): object {
  return depth === 0 ? filter : { must: [nest(filter, depth - 1)] };
}

let gateway: TestGateway;
let callers: Callers;
const all = () => callers;

beforeAll(async () => {
  gateway = await shareGateway();
  callers = await createCallers(gateway);
});
afterAll(() => gateway.close());

describe('input that is out of bounds (400)', () => {
  const long = 'd'.repeat(101);
  const longId = 'datasetId must be 1 to 100 characters long';
  const ttl = 'ttlSeconds must be between 1 and 86400';
  const limit = (most: number) => `limit must be between 1 and ${most}`;
  const row = { status: 400, as: 'key' } as const;
  const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
  const filter = { key: 'color', match: { value: 'red' } };
  const create = { ...row, method: 'POST', path: '/tokens/create' };
  const search = { ...row, method: 'POST', path: '/search' };
  const query = { ...row, method: 'POST', path: '/query' };
  refuses(all, [
    {
      ...row,
      method: 'GET',
      path: `/files?datasetId=${long}`,
      what: '(101 characters)',
      error: longId,
    },
    {
      ...row,
      method: 'DELETE',
      path: `/datasets/${long}/files`,
      what: '(101 characters)',
      error: longId,
    },
    { ...search, what: 'of 101 characters', body: { ...asked, datasetId: long }, error: longId },
    { ...create, what: 'for 101 characters', body: { datasetId: long }, error: longId },
    {
      ...create,
      what: 'for a number',
      body: { datasetId: 1 },
      error: 'datasetId must be a string',
    },
    ...[0, -1, 86_401, 1.5, '60', true, {}].map((ttlSeconds) => ({
      ...create,
      what: `with ttlSeconds ${JSON.stringify(ttlSeconds)}`,
      body: { datasetId: 'docs', ttlSeconds },
      error: ttl,
    })),
    ...[0, -1, 51, 1.5, '8', true].map((value) => ({
      ...search,
      what: `with limit ${JSON.stringify(value)}`,
      body: { ...asked, limit: value },
      error: limit(50),
    })),
    ...['walrus', 'vectors', ' vector', 1, true, ['vector'], {}, { toString: 1 }].map((value) => ({
      ...search,
      what: `with mode ${JSON.stringify(value)}`,
      body: { ...asked, mode: value },
      error: 'mode must be vector, keyword or hybrid',
    })),
    ...['0', '-1', '1001', '1.5', 'ten'].map((value) => ({
      ...row,
      method: 'GET',
      path: `/files?datasetId=docs&limit=${value}`,
      what: 'to list',
      error: limit(1000),
    })),
    {
      ...row,
      method: 'GET',
      path: '/files?datasetId=docs&cursor=fox',
      what: 'to list',
      error: 'cursor is not one that a list has given',
    },
    {
      ...row,
      method: 'GET',
      path: `/files?datasetId=docs&cursor=${btoa(JSON.stringify(['created desc', '0000-01-01T00:00:00.000Z', '00000000-0000-0000-0000-000000000000']))}`,
      what: 'of the year 33658',
      error: 'cursor is not one that a list has given',
    },
    ...[query, search].flatMap((ask) => [
      {
        ...ask,
        what: 'with 32,001 characters',
        body: { ...asked, question: 'q'.repeat(32_001) },
        error: 'question must be at most 32000 characters long',
      },
      {
        ...ask,
        what: 'with a number for a question',
        body: { ...asked, question: 5 },
        error: 'question must be a string',
      },
      {
        ...ask,
        what: 'with 51 filters',
        body: { ...asked, filters: Array(51).fill(filter) },
        error: 'filters must be at most 50',
      },
      ...[filter, ''].map((filters) => ({
        ...ask,
        what: `with the filters ${JSON.stringify(filters)}, which are no list`,
        body: { ...asked, filters },
        error: 'filters must be an array, or an object with must, should or must_not',
      })),
      ...[{ match: { value: 1 } }, { key: '', match: { value: 1 } }, { key: 1, match: {} }].map(
        (wrong) => ({
          ...ask,
          what: `with the filter ${JSON.stringify(wrong)}`,
          body: { ...asked, filters: [filter, wrong] },
          error: 'a filter needs a key: a metadata field name',
        }),
      ),
      ...[{ key: 'color' }, { key: 'color', match: 'red' }].map((wrong) => ({
        ...ask,
        what: `with the filter ${JSON.stringify(wrong)}`,
        body: { ...asked, filters: [wrong] },
        error: 'a filter needs a match, an object with value, any or except, or a range',
      })),
      ...WRONG_FILTERS.map(([wrong, error]) => ({
        ...ask,
        what: `with the filters ${JSON.stringify(wrong).slice(0, 60)}`,
        body: { ...asked, filters: wrong },
        error,
      })),
      ...[undefined, null, ['red'], { is: 'red' }].map((value) => ({
        ...ask,
        what: `with a filter for ${JSON.stringify(value)}`,
        body: { ...asked, filters: [{ key: 'color', match: { value } }] },
        error: 'match.value of a filter must be a string, a number or a boolean',
      })),
      {
        ...ask,
        what: 'with a filter for no text',
        body: { ...asked, filters: [{ key: 'color', match: { value: 'r\0d' } }] },
        error: 'match.value of a filter must be readable text',
      },
      {
        ...ask,
        what: 'with half a character in the key of a filter',
        body: { ...asked, filters: [{ key: '\ud800', match: { value: 1 } }] },
        error: 'key of a filter must be readable text',
      },
    ]),
    ...['true', 1, {}].map((stream) => ({
      ...query,
      what: `with stream ${JSON.stringify(stream)}`,
      body: { ...asked, stream },
      error: 'stream must be true or false',
    })),
  ]);
});

describe('input at its bounds (200)', () => {
  const longest = 'd'.repeat(100);
  const asked = { datasetId: 'docs', question: 'q'.repeat(32_000) };
  const filter = { key: 'color', match: { value: 'red' } };
  const filters = Array(50).fill(filter);
  test.each([
    ['POST', '/search', 'with 32,000 characters', asked],
    ['POST', '/search', 'with 50 filters', { ...asked, filters }],
    ['POST', '/search', 'with 50 filters in a group', { ...asked, filters: { should: filters } }],
    ['POST', '/search', 'with 1,000 values', { ...asked, filters: [anyOf(1000)] }],
    ['POST', '/search', 'with groups 5 deep', { ...asked, filters: nest(filter, 5) }],
    ['POST', '/search', 'with limit 1', { ...asked, limit: 1 }],
    ['POST', '/search', 'with limit 50', { ...asked, limit: 50 }],
    ['POST', '/search', 'with mode keyword', { ...asked, mode: 'keyword' }],
    ['POST', '/search', 'with mode Hybrid', { ...asked, mode: 'Hybrid' }],
    ['POST', '/search', 'with mode null', { ...asked, mode: null }],
    [
      'POST',
      '/search',
      'with null for what may be left out',
      { ...asked, filters: null, limit: null },
    ],
    ['POST', '/search', 'with fields that nobody knows', { ...asked, temperature: 1 }],
    ['POST', '/query', 'with 32,000 characters', { ...asked, stream: false }],
    ['POST', '/search', 'of 100 characters', { ...asked, datasetId: longest }],
    ['GET', `/files?datasetId=${longest}`, 'of 100 characters', undefined],
    ['GET', '/files?datasetId=docs&limit=1', 'with limit 1', undefined],
    ['GET', '/files?datasetId=docs&limit=1000', 'with limit 1000', undefined],
    ['DELETE', `/datasets/${longest}/files`, 'of 100 characters', undefined],
    ['POST', '/tokens/create', 'for a second', { datasetId: longest, ttlSeconds: 1 }],
    ['POST', '/tokens/create', 'for a day', { datasetId: longest, ttlSeconds: 86_400 }],
  ])('200 %s /v1%s %s', async (method, path, _, body) => {
    const { status } = await callers.clients.key.rest(method, path, body);
    expect(status).toBe(200);
  });
});
