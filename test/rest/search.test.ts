import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  gateway = await shareGateway();
  // A search needs no language model.
  faults.answerWith(() => {
    throw new Error('a search has asked the model');
  });
  customer = await newCustomer(gateway);
  await customer.upload('animals', {
    'fox.txt': 'The fox is quick and hunts at night.',
    'hen.txt': 'The hen lays an egg every morning.',
    'owl.txt': 'The owl sees well in the dark.',
  });
  const rows = Array.from({ length: 60 }, (_, at) => `Row ${at} is about the fox.`);
  const fields = { chunkSize: 10, chunkOverlap: 0 };
  await customer.upload('rows', { 'rows.txt': rows.join('\n\n') }, fields);
});
afterAll(() => gateway.close());

interface Hit {
  score: number;
  pageContent: string;
  metadata: Record<string, unknown>;
}

async function search(body: object, client: Client = customer): Promise<Hit[]> {
  return (await client.rest('POST', '/search', body)).body.data;
}

test('200: success and data, each with score, pageContent and metadata, and nothing else', async () => {
  const asked = { datasetId: 'animals', question: 'What does the hen lay?' };
  const { status, body, headers } = await customer.rest('POST', '/search', asked);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(body).toStrictEqual({
    success: true,
    data: Array(3).fill({
      score: expect.any(Number),
      pageContent: expect.any(String),
      metadata: expect.objectContaining({
        fileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        originalName: expect.stringMatching(/\.txt$/),
        customerId: customer.customerId,
        datasetId: 'animals',
      }),
    }),
  });
});

test('200: best first, by a similarity from -1 to 1', async () => {
  const hits = await search({ datasetId: 'animals', question: 'What does the hen lay?' });
  const scores = hits.map(({ score }) => score);
  expect(hits[0]?.pageContent).toBe('The hen lays an egg every morning.');
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.every((score) => score >= -1 && score <= 1)).toBe(true);
  const [same] = await search({
    datasetId: 'animals',
    question: 'The hen lays an egg every morning.',
  });
  expect(same?.score).toBeGreaterThan(scores[0] ?? 1);
});

test.each([
  [undefined, 8],
  [1, 1],
  [10, 10],
  [50, 50],
])('200 with limit %s of 60 chunks: %i', async (limit, expected) => {
  const hits = await search({ datasetId: 'rows', question: 'Which row is it?', limit });
  expect(hits).toHaveLength(expected);
  expect(new Set(hits.map(({ pageContent }) => pageContent)).size).toBe(expected);
});

test('200 with limit 50 of 3 chunks: all of them', async () => {
  const hits = await search({ datasetId: 'animals', question: 'Volcanoes on Mars', limit: 50 });
  expect(hits).toHaveLength(3);
});

test('200 for a dataset that is empty, and for one that is not there: none', async () => {
  const { body } = await customer.upload('emptied', { 'fox.txt': 'The fox is quick.' });
  await customer.rest('DELETE', `/files/${body.files[0].fileId}?datasetId=emptied`);
  for (const datasetId of ['emptied', 'never']) {
    const asked = { datasetId, question: 'Is the fox quick?' };
    const reply = await customer.rest('POST', '/search', asked);
    expect(reply.body).toStrictEqual({ success: true, data: [] });
  }
});

test('200: nothing of another dataset, and nothing of another customer', async () => {
  const other = await newCustomer(gateway);
  await other.upload('animals', { 'elk.txt': 'The elk has antlers.' });
  const asked = { datasetId: 'animals', question: 'What has the elk?', limit: 50 };
  const names = (hits: Hit[]) => hits.map(({ metadata }) => metadata['originalName']).sort();
  expect(names(await search(asked))).toEqual(['fox.txt', 'hen.txt', 'owl.txt']);
  expect(names(await search(asked, other))).toEqual(['elk.txt']);
  expect(await search({ ...asked, datasetId: 'rows', limit: 1 }, other)).toEqual([]);
});

test('200: the same hits for the same question, whatever was asked before', async () => {
  const asked = { datasetId: 'rows', question: 'Which row is about number 17?' };
  const first = await search(asked);
  await search({ datasetId: 'rows', question: 'Something else about row 3' });
  expect(await search(asked)).toEqual(first);
});

test.each([
  ['a NUL', 'fox\0hen'],
  ['half a character', 'fox \ud83e'],
  ['nothing but signs', '?!'],
  ['what means something to PostgreSQL', "fox' OR 1=1; --"],
])('200 for a question with %s', async (_, question) => {
  expect(await search({ datasetId: 'animals', question })).toHaveLength(3);
});

test('200: by keyword, only what has a word of the question, in any form, best first', async () => {
  const keyword = { datasetId: 'animals', mode: 'keyword' };
  const namesOf = async (question: string) =>
    (await search({ ...keyword, question })).map(({ metadata }) => metadata['originalName']);
  expect(await namesOf('Which animal lays eggs in the mornings?')).toEqual(['hen.txt']);
  expect(await namesOf('hunting by night, foxes and owls')).toEqual(['fox.txt', 'owl.txt']);
  expect(await namesOf('walrus')).toEqual([]);
  expect(await namesOf('!?')).toEqual([]);
});

test('200: scores are cosine similarities in every mode, and only the order is another', async () => {
  const asked = { datasetId: 'animals', question: 'Does the fox hunt at night?' };
  const byVector = await search(asked);
  const scoreOf = new Map(byVector.map(({ pageContent, score }) => [pageContent, score]));
  for (const mode of ['keyword', 'hybrid']) {
    const hits = await search({ ...asked, mode });
    expect(hits).toHaveLength(mode === 'hybrid' ? 3 : 1);
    for (const { pageContent, score } of hits) {
      expect(score).toBeCloseTo(scoreOf.get(pageContent) ?? 2, 5);
    }
  }
});

test('200: hybrid finds what has the words as well as what is near, and never fewer', async () => {
  const asked = { datasetId: 'rows', question: 'What is row 41 about?', limit: 8 };
  const [hybrid, byVector] = [await search({ ...asked, mode: 'hybrid' }), await search(asked)];
  expect(hybrid).toHaveLength(byVector.length);
  expect(hybrid.map(({ pageContent }) => pageContent)).toContain('Row 41 is about the fox.');
});

test('200: the name of a file and the headings above a text are words of it', async () => {
  await customer.upload('manuals', {
    'warranty-terms.md': '# Coverage\n\n## Batteries\n\nTwo years from the day of sale.',
    'delivery.md': '# Shipping\n\nThree days from the day of order.',
  });
  for (const question of ['warranty', 'coverage', 'battery']) {
    const hits = await search({ datasetId: 'manuals', question, mode: 'keyword' });
    expect(hits.map(({ metadata }) => metadata['originalName'])).toEqual(['warranty-terms.md']);
  }
});

test('200: filters come first in every mode', async () => {
  const filters = [{ key: 'originalName', match: { value: 'owl.txt' } }];
  const asked = { datasetId: 'animals', question: 'Which hen sees in the dark?', filters };
  for (const mode of ['vector', 'keyword', 'hybrid']) {
    const hits = await search({ ...asked, mode });
    expect(hits.map(({ metadata }) => metadata['originalName'])).toEqual(['owl.txt']);
  }
});
