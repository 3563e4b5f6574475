import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { type Client, newCustomer } from './support/client.ts';
import { startBeside, type TestGateway } from './support/gateway.ts';

/* SEARCH_MODE: how the chunks for an answer are chosen. */

let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  gateway = await startBeside({ SEARCH_MODE: 'keyword' });
  customer = await newCustomer(gateway);
  await customer.upload('animals', {
    'fox.txt': 'The fox is quick and hunts at night.',
    'hen.txt': 'The hen lays an egg every morning.',
  });
});
afterAll(() => gateway.close());

test.each([
  [undefined, 'hybrid'],
  ['vector', 'vector'],
  ['KEYWORD', 'keyword'],
  ['Hybrid', 'hybrid'],
])('SEARCH_MODE=%s is %s', (given, mode) => {
  expect(readConfig({ SEARCH_MODE: given }).searchMode).toBe(mode);
});

test('another value stops the start with a line that names it', () => {
  expect(() => readConfig({ SEARCH_MODE: 'semantic' })).toThrow(
    'SEARCH_MODE: must be one of vector, keyword, hybrid',
  );
});

test('by keyword, an answer is written from chunks that have a word of the question', async () => {
  const ask = async (question: string) => {
    const asked = { datasetId: 'animals', question, stream: false };
    const { body } = await customer.rest('POST', '/query', asked);
    return body.data.sources.map(
      ({ metadata }: { metadata: { originalName: string } }) => metadata.originalName,
    );
  };
  expect(await ask('Which eggs come in the morning?')).toEqual(['hen.txt']);
  expect(await ask('walrus')).toEqual([]);
});

test('searches go by vectors all the same, unless told', async () => {
  const asked = { datasetId: 'animals', question: 'walrus' };
  expect((await customer.rest('POST', '/search', asked)).body.data).toHaveLength(2);
});
