import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

/** Files by name, with the value of their metadata field `v`. */
const VALUES: Record<string, unknown> = {
  'one.txt': 1,
  'one-text.txt': '1',
  'true.txt': true,
  'true-text.txt': 'true',
  'false.txt': false,
  'zero.txt': 0,
  'half.txt': 0.5,
  'large.txt': 9007199254740991,
  'empty.txt': '',
  'null.txt': null,
  'list.txt': [1, '1', true],
  'object.txt': { value: 1 },
};
/** Values that no file has, more than PostgreSQL compares one by one. */
const MANY = Array.from({ length: 20 }, (_, at) =>
  at % 2 === 0 ? `value ${at}, "{\\}"` : 100 + at,
);
const QUOTES = `a'b"; DROP TABLE chunk; --`;
const KEYS = [
  QUOTES,
  '__proto__',
  'constructor',
  'größe 漢字 🦊',
  'a.b',
  '$.a',
  '{a}',
  'a\\',
  '%',
  ' ',
  '0',
  'k'.repeat(1000),
];

let gateway: TestGateway;
let customer: Client & { customerId: string };
let files: { fileId: string; originalName: string }[];

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  files = await add('values', (name) => `{"v":${JSON.stringify(VALUES[name])},"w":"all"}`);
  const keys = Object.fromEntries(KEYS.map((key, at) => [`${at}.txt`, key]));
  await add('keys', (name) => `{${JSON.stringify(keys[name])}:"here"}`, Object.keys(keys));
});
afterAll(() => gateway.close());

async function add(
  datasetId: string,
  metadataOf: (name: string) => string,
  names = Object.keys(VALUES),
) {
  const metadata = `{${names.map((name) => `${JSON.stringify(name)}:${metadataOf(name)}`).join()}}`;
  const texts = Object.fromEntries(names.map((name) => [name, `The fox is in ${name}.`]));
  return (await customer.upload(datasetId, texts, { metadata })).body.files;
}

interface Hit {
  metadata: { originalName: string };
}

/** The names of the files whose chunks a route answers with. */
async function foundBy(path: string, datasetId: string, filters: object) {
  const { body } = await customer.rest('POST', path, {
    datasetId,
    question: 'Where is the fox?',
    stream: false,
    ...(path === '/search' && { limit: 50 }),
    filters,
  });
  const hits: Hit[] = path === '/search' ? body.data : body.data.sources;
  return hits.map(({ metadata }) => metadata.originalName).sort();
}

function filtered(path: string, datasetId: string, filters: [string, unknown][]) {
  return foundBy(
    path,
    datasetId,
    filters.map(([key, value]) => valued(key, value)),
  );
}

function valued(key: string, value: unknown) {
  return { key, match: { value } };
}

function anyOf(key: string, any: unknown[]) {
  return { key, match: { any } };
}

describe.each(['/search', '/query'])('filters of POST /v1%s', (path) => {
  test.each([
    [1, ['one.txt']],
    ['1', ['one-text.txt']],
    [true, ['true.txt']],
    ['true', ['true-text.txt']],
    [false, ['false.txt']],
    [0, ['zero.txt']],
    [-0, ['zero.txt']],
    [0.5, ['half.txt']],
    [9007199254740991, ['large.txt']],
    ['', ['empty.txt']],
    ['null', []],
    ['false', []],
    ['0', []],
    [2, []],
    ['TRUE', []],
    ["1' OR '1'='1", []],
    ['%', []],
  ])('200 for the value %j: exactly %j', async (value, names) => {
    expect(await filtered(path, 'values', [['v', value]])).toEqual(names);
  });

  test.each<[string, [string, unknown][], string[]]>([
    [
      'two that match',
      [
        ['v', 1],
        ['w', 'all'],
      ],
      ['one.txt'],
    ],
    [
      'two of which one does not match',
      [
        ['v', 1],
        ['w', 'none'],
      ],
      [],
    ],
    [
      'the same one twice',
      [
        ['v', 1],
        ['v', 1],
      ],
      ['one.txt'],
    ],
    [
      'two values of one field',
      [
        ['v', 1],
        ['v', '1'],
      ],
      [],
    ],
    ['a field that nothing has', [['x', 1]], []],
    ['a field in other letters', [['V', 1]], []],
    ['a field of a field', [['v.value', 1]], []],
  ])('200 for %s: all must match', async (_, filters, names) => {
    expect(await filtered(path, 'values', filters)).toEqual(names);
  });

  test.each<[string, object | object[], string[]]>([
    ['any of some values', [anyOf('v', [1, 'true'])], ['list.txt', 'one.txt', 'true-text.txt']],
    ['any of none', [anyOf('v', [])], []],
    [
      'any of many values',
      [anyOf('v', ['1', 0.5, ...MANY])],
      ['half.txt', 'list.txt', 'one-text.txt'],
    ],
    ['any, and a value', [anyOf('v', [1, true]), valued('v', true)], ['true.txt']],
    [
      'except some values',
      [{ key: 'v', match: { except: [1, 0.5, false, '', 0] } }],
      ['large.txt', 'list.txt', 'object.txt', 'one-text.txt', 'true-text.txt', 'true.txt'],
    ],
    [
      'except many values',
      [{ key: 'v', match: { except: ['', 1, true, 9007199254740991, ...MANY] } }],
      [
        'false.txt',
        'half.txt',
        'list.txt',
        'object.txt',
        'one-text.txt',
        'true-text.txt',
        'zero.txt',
      ],
    ],
    ['a range', [{ key: 'v', range: { gt: 0, lte: 1 } }], ['half.txt', 'list.txt', 'one.txt']],
    ['a range of large numbers', [{ key: 'v', range: { gte: 9007199254740991 } }], ['large.txt']],
    [
      'a group: one of',
      { should: [valued('v', '1'), valued('v', false)] },
      ['false.txt', 'one-text.txt'],
    ],
    [
      'a group: none of',
      {
        must: [valued('w', 'all')],
        must_not: [{ key: 'v', match: { except: [1] } }],
      },
      ['null.txt', 'one.txt'],
    ],
    [
      'groups in a list',
      [
        { should: [valued('v', 1), valued('v', true)] },
        { must_not: [valued('originalName', 'one.txt')] },
      ],
      ['true.txt'],
    ],
    ['a single filter in a group', { must: valued('v', 0) }, ['zero.txt']],
    [
      'a value, and null for what else a filter can have',
      [
        {
          key: 'v',
          match: { value: 1, any: null, except: null },
          range: null,
          must: null,
          should: null,
          must_not: null,
        },
      ],
      ['one.txt'],
    ],
    [
      'a group, and null for what else a filter can have',
      [{ key: null, match: null, range: null, must: [valued('v', 0)], should: null }],
      ['zero.txt'],
    ],
  ])('200 for %s', async (_, filters, names) => {
    expect(await foundBy(path, 'values', filters)).toEqual(names);
  });

  test.each(KEYS)('200 for the key %j: it is data', async (key) => {
    expect(await filtered(path, 'keys', [[key, 'here']])).toEqual([`${KEYS.indexOf(key)}.txt`]);
    expect(await filtered(path, 'keys', [[key, 'there']])).toEqual([]);
    expect(await foundBy(path, 'keys', [anyOf(key, ['here'])])).toEqual([
      `${KEYS.indexOf(key)}.txt`,
    ]);
    expect(await foundBy(path, 'keys', [{ key, range: { gt: 0 } }])).toEqual([]);
  });

  test('200 for fields that every chunk has of itself', async () => {
    const [first] = files;
    if (!first) throw new Error('nothing was uploaded');
    const { fileId, originalName } = first;
    expect(await filtered(path, 'values', [['fileId', fileId]])).toEqual([originalName]);
    expect(await filtered(path, 'values', [['originalName', originalName]])).toEqual([
      originalName,
    ]);
    expect(await filtered(path, 'keys', [['datasetId', 'keys']])).not.toEqual([]);
    expect(await filtered(path, 'keys', [['datasetId', 'values']])).toEqual([]);
  });
});

test('200 POST /v1/search: filters come before the search, not after it', async () => {
  const near = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`${at}.txt`, `Where is the fox? It is fox ${at}.`]),
  );
  await customer.upload('many', near);
  const metadata = JSON.stringify({ 'far.txt': { color: 'red' } });
  await customer.upload('many', { 'far.txt': 'Prices of steel fell in March.' }, { metadata });
  expect(await filtered('/query', 'many', [['color', 'red']])).toEqual(['far.txt']);
});
