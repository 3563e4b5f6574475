import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

const SEARCH = 'query ($input: SearchInput!) { search(input: $input) { originalName } }';
const NUMBER = { key: 'number' };

let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  const texts = { 'one.txt': 'Fox one.', 'two.txt': 'Fox two.', 'many.txt': 'Many foxes.' };
  const metadata = JSON.stringify({
    'one.txt': { number: 1, lang: 'en' },
    'two.txt': { number: 2, lang: 'de' },
    'many.txt': { number: [2, 7], lang: 'de' },
  });
  await customer.upload('docs', texts, { metadata });
});
afterAll(() => gateway.close());

function search(filters: unknown) {
  const input = { datasetId: 'docs', question: 'Which fox?', filters };
  return customer.graphql(SEARCH, { input });
}

test.each([
  [{ ...NUMBER, match: { value: 2 } }, ['two.txt']],
  [{ ...NUMBER, match: { any: [1, 7] } }, ['many.txt', 'one.txt']],
  [{ ...NUMBER, match: { except: [2] } }, ['many.txt', 'one.txt']],
  [{ ...NUMBER, match: { range: { gte: 2, lt: 7 } } }, ['many.txt', 'two.txt']],
  [{ ...NUMBER, match: { range: { gt: 2, lte: null } } }, ['many.txt']],
  [{ mustNot: [{ ...NUMBER, match: { any: [7] } }] }, ['one.txt', 'two.txt']],
  [
    {
      must: [{ key: 'lang', match: { value: 'de' } }],
      should: [{ ...NUMBER, match: { value: 2 } }, { must: [{ ...NUMBER, match: { any: [9] } }] }],
    },
    ['two.txt'],
  ],
])('search with the filter %j finds %j', async (filter, names) => {
  const { data } = await search([filter]);
  expect(data.search.map((hit: { originalName: string }) => hit.originalName).sort()).toEqual(
    names,
  );
});

test.each([
  [{}, 'a filter needs a key: a metadata field name'],
  [NUMBER, 'a filter needs a match, an object with value, any or except, or a range'],
  [
    { ...NUMBER, must: [{ ...NUMBER, match: { value: 1 } }] },
    'a group of filters has nothing but must, should and must_not',
  ],
  [
    { ...NUMBER, match: { range: {} } },
    'range of a filter must be an object with gt, gte, lt or lte',
  ],
])('the filter %j is refused', async (filter, message) => {
  const { errors } = await search([filter]);
  expect(errors).toMatchObject([{ message, extensions: { code: 'INVALID_INPUT' } }]);
});

test.each([
  [{ ...NUMBER, match: { value: 1, any: [1] } }, 'FilterMatch'],
  [{ ...NUMBER, match: { value: [1] } }, 'FilterValue'],
  [{ ...NUMBER, match: { range: { gt: '1' } } }, 'Float'],
])('the filter %j does not fit the schema', async (filter, message) => {
  const { errors } = await search([filter]);
  expect(errors).toMatchObject([{ message: expect.stringContaining(message) }]);
});

test.each([
  [6, 'filters must be at most 5 groups deep'],
  [150, 'variables must be at most 200 levels deep'],
  [30_000, 'variables must be at most 200 levels deep'],
])('groups that are %i deep are refused', async (depth, message) => {
  const filter = JSON.stringify({ ...NUMBER, match: { value: 1 } });
  const nested = `${'{"must":['.repeat(depth)}${filter}${']}'.repeat(depth)}`;
  const input = `{"datasetId":"docs","question":"Which fox?","filters":[${nested}]}`;
  const body = `{"query":${JSON.stringify(SEARCH)},"variables":{"input":${input}}}`;
  const response = await customer.raw('POST', '/graphql', body);
  expect(await response.json()).toMatchObject({
    errors: [{ message, extensions: { code: 'INVALID_INPUT' } }],
  });
});
