import { readdir, readFile } from 'node:fs/promises';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { statementsOf } from '../support/statements.ts';

let gateway: TestGateway;
let me: Client;
let anonymous: Client;

beforeAll(async () => {
  gateway = await startBeside({ GRAPHQL_MAX_ANSWER: '1' });
  me = await newCustomer(gateway);
  anonymous = createClient(gateway);
  await me.upload('docs', { 'fox.txt': 'The fox is quick, and it hunts at night. '.repeat(500) });
});
afterAll(() => gateway.close());

const many = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join(' ');
const aliases = (count: number, field: string) => many(count, (at) => `a${at}: ${field}`);
const search = (rest: string, limit = 50) =>
  `search(input: { datasetId: "docs", question: "fox?", limit: ${limit} }) { ${rest} }`;

describe('within the limits are', () => {
  it('what GraphiQL asks first', async () => {
    const options = {
      inputValueDeprecation: true,
      specifiedByUrl: true,
      schemaDescription: true,
      directiveIsRepeatable: true,
    };
    const { errors } = await anonymous.graphql(getIntrospectionQuery(options));
    expect(errors).toEqual([]);
  });

  it('all operations of schema/operations, with the longest lists', async () => {
    const folder = new URL('../../schema/operations/', import.meta.url);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const query = await readFile(new URL(name, folder), 'utf8');
      const response = await anonymous.raw('POST', '/graphql', {
        query,
        variables: {
          first: 1000,
          newest: 3,
          limit: 50,
          datasetId: 'docs',
          question: '?',
          fileId: 'x',
        },
      });
      expect(await response.text()).not.toMatch(/QUERY_TOO_/);
    }
  });

  it('a thousand files with everything that is known of them', async () => {
    const { errors } = await me.graphql(`{ files(datasetId: "docs", first: 1000) {
      totalCount
      edges { cursor node { id } }
      nodes {
        id customerId datasetId fileId filePath originalName mimeType size loaderId createdAt
        extension transcriptionText extraMeta permanentUrl
      }
    } }`);
    expect(errors).toEqual([]);
  });
});

describe('a response with errors is not many times as long as its request', () => {
  const input = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`wrong${at}`, 1]));
  it.each<[string, string, object]>([
    [
      'wrong variables',
      'query ($input: SearchInput!) { search(input: $input) { score } }',
      { input: { ...input, long: 'x'.repeat(60_000) } },
    ],
    [
      'a wrong document',
      `{ search(input: { ${many(1000, (at) => `wrong${at}: 1`)} }) { score } }`,
      {},
    ],
    [
      'a variable with thousands of wrong values',
      'query ($input: SearchInput!) { search(input: $input) { score } }',
      { input: Object.fromEntries(Array.from({ length: 3500 }, (_, at) => [`wrong${at}`, 1])) },
    ],
  ])('%s', async (_, query, variables) => {
    const sent = JSON.stringify({ query, variables });
    const response = await anonymous.raw('POST', '/graphql', { query, variables });
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      errors: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining('"SearchInput"') }),
      ]),
    });
    expect(text.length).toBeLessThan(6 * sent.length);
  });
});

describe('an operation that asks for more than 50,000 values is not run', () => {
  const typeRef = (count: number) => `fragment L on __Type { ${aliases(count, 'name')} }`;
  it.each<[string, string, Record<string, unknown>?]>([
    [
      'introspection in fragments and aliases',
      `{ __schema { types { ${aliases(240, 'fields { type { ...L } }')} } } } ${typeRef(420)}`,
    ],
    [
      'introspection of one type',
      `{ __type(name: "File") { ${aliases(100, 'fields { args { type { ...L } } type { ...L } }')} } } ${typeRef(100)}`,
    ],
    ['aliases in a search', `{ ${search(aliases(1600, 'metadata'))} }`],
    ['aliases in an answer', `{ ${search(aliases(1600, 'pageContent'))} }`],
    ['aliases of a field that reads', `{ ${aliases(700, 'viewer { credits }')} }`],
    [
      'aliases of a mutation',
      `mutation { ...A ...A ...A }
       fragment A on Mutation { ${aliases(200, 'purgeCustomer(input: {}) { deleted }')} }`,
    ],
    [
      'a page of a size in a variable',
      `query ($n: Int) { files(datasetId: "docs", first: $n) { nodes { ${aliases(60, 'fileId')} } } }`,
      { n: 1000 },
    ],
    [
      'a page of a size that a variable has by itself',
      `query ($n: Int = 1000) { files(datasetId: "docs", last: $n) { nodes { ${aliases(60, 'fileId')} } } }`,
    ],
    [
      'an input in a variable',
      `query ($input: SearchInput!) { search(input: $input) { ${aliases(1200, 'score')} } }`,
      { input: { datasetId: 'docs', question: 'fox?', limit: 50 } },
    ],
    [
      'a thousand files of a thousand datasets',
      '{ datasets(first: 1000) { nodes { files(first: 1000) { nodes { id } } } } }',
    ],
    [
      'the same, of which only the ends are selected',
      '{ viewer { datasets(first: 1000) { nodes { files(last: 1000) { pageInfo { hasNextPage } } } } } }',
    ],
    [
      'the same, of which only the number is selected',
      '{ datasets(first: 1000) { nodes { files(first: 1000) { totalCount } } } }',
    ],
    [
      'the texts of all chunks of a hundred files',
      '{ files(datasetId: "docs") { nodes { chunks(first: 100) { nodes { content } } } } }',
    ],
    [
      'the same, of which only the places are selected',
      '{ files(datasetId: "docs") { nodes { chunks(first: 100) { edges { cursor } } } } }',
    ],
    [
      'datasets of files of datasets of files',
      `{ datasets { nodes { files(first: 10) { nodes { dataset { files(first: 50) { totalCount } } } } } } }`,
    ],
    [
      'aliases of an edge',
      `{ datasets(first: 1) { nodes { ...A ...A ...A } } }
       fragment A on Dataset { ${aliases(200, 'files(first: 0) { totalCount }')} }`,
    ],
    [
      'lists in lists',
      '{ files(datasetId: "docs", first: 500) { nodes { transcriptionSrt { id text } } } }',
    ],
    [
      'a fragment in a fragment, 350 times doubled',
      `{ ...F0 } ${many(350, (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)}
       fragment F350 on Query { __typename }`,
    ],
    [
      'a subscription',
      `subscription { askQuestion(input: { datasetId: "docs", question: "fox?" }) {
        ... on AnswerDelta { ${aliases(600, 'delta')} } } }`,
    ],
    [
      'an upload that may replace a hundred files',
      `mutation { uploadFiles(input: { datasetId: "docs", urls: [], onDuplicate: REPLACE }) {
        replaced { dataset { files(first: 600) { nodes { fileId } } } } } }`,
    ],
  ])('%s', async (_, query, variables) => {
    const started = performance.now();
    const response = await me.raw('POST', '/graphql', { query, variables });
    expect(response.status).toBe(400);
    const { data, errors } = await response.json();
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      {
        message: expect.stringMatching(
          /^The query asks for up to \d+ values: at most 50000 are answered at once$/,
        ),
        extensions: {
          code: 'QUERY_TOO_COSTLY',
          cost: expect.any(Number),
          limit: 50_000,
          requestId: response.headers.get('x-request-id'),
        },
      },
    ]);
    expect(errors[0].extensions.cost).toBeGreaterThan(50_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('but another operation of its document is', async () => {
    const query = `query Small { __typename } query Large { ${aliases(700, 'viewer { credits }')} }`;
    const ask = async (operationName: string) =>
      (await me.raw('POST', '/graphql', { query, operationName })).json();
    expect(await ask('Small')).toEqual({ data: { __typename: 'Query' } });
    expect(await ask('Large')).toMatchObject({ errors: [{ extensions: { limit: 50_000 } }] });
  });
});

describe('a query is refused as too deep:', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  it.each([
    [
      '21 levels of fields',
      `{ __type(name: "x") { ${'ofType { '.repeat(19)} name ${'}'.repeat(19)} } }`,
      20,
    ],
    ['2,400 lists in a value', `{ node(id: ${nested(2400)}) { id } }`, 200],
    [
      '2,400 objects in a value',
      `{ node(id: ${'{a:'.repeat(2400)}1${'}'.repeat(2400)}) { id } }`,
      200,
    ],
    [
      'a type of 2,400 lists',
      `query ($v: ${nested(2400).replace('1', 'Int')}) { __typename }`,
      200,
    ],
  ])('%s', async (_, query, limit) => {
    const { status, errors } = await anonymous.graphql(query);
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      {
        message: `The query is too deep: at most ${limit} levels are answered`,
        extensions: { code: 'QUERY_TOO_DEEP', limit },
      },
    ]);
  });

  it('but 20 levels of fields are not', async () => {
    const query = `{ __type(name: "x") { ${'ofType { '.repeat(18)} name ${'}'.repeat(18)} } }`;
    expect((await anonymous.graphql(query)).body).toEqual({ data: { __type: null } });
  });
});

it('an answer larger than GRAPHQL_MAX_ANSWER is not written', async () => {
  const { errors: none } = await me.graphql(`{ ${search(aliases(20, 'pageContent'))} }`);
  expect(none).toEqual([]);
  const { body } = await me.graphql(`{ ${search(aliases(800, 'pageContent'))} }`);
  expect(body).toMatchObject({
    data: null,
    errors: [{ extensions: { code: 'ANSWER_TOO_LARGE', limitBytes: 1_000_000 } }],
  });
});

it.each([
  ['totalCount', `files(datasetId: "docs") { ${aliases(300, 'totalCount')} }`, /\bcount\(/i],
  ['viewer', aliases(100, 'viewer { credits }'), /FROM customer\b/],
])('%s is worked out once, however often it is asked for', async (_, fields, statement) => {
  const statements = await statementsOf(async () => {
    expect((await me.graphql(`{ ${fields} }`)).errors).toEqual([]);
  });
  expect(statements.filter((text) => statement.test(text))).toHaveLength(1);
});

it.each(['{', '[]', '"x"', 'null x'])('variables that are %s are refused', async (variables) => {
  const query = new URLSearchParams({ query: '{ __typename }', variables });
  const response = await me.raw('GET', `/graphql?${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: [{ message: expect.stringContaining('variables') }],
  });
});
