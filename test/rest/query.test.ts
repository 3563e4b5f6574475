import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Prompt } from '../../src/ports/language-model.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

/* POST /v1/query in one piece. How it streams is in query-stream.test.ts. */

let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  await customer.upload('animals', {
    'fox report.txt': 'The fox is quick and hunts at night.',
    'hen.txt': 'The hen lays an egg every morning.',
  });
  const rows = Array.from({ length: 40 }, (_, at) => `Row ${at} is about the fox.`);
  const fields = { chunkSize: 10, chunkOverlap: 0 };
  await customer.upload('rows', { 'rows.txt': rows.join('\n\n') }, fields);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

type Scored = { score: number };

const ask = (body: object) => customer.rest('POST', '/query', { stream: false, ...body });

/** Answers with a text, and keeps what it was asked. */
function answerWith(...pieces: string[]): Prompt[] {
  const prompts: Prompt[] = [];
  faults.answerWith(async function* (prompt) {
    prompts.push(prompt);
    yield* pieces;
  });
  return prompts;
}

test('200: success and data, with the answer and its sources, and nothing else', async () => {
  const asked = { datasetId: 'animals', question: 'What does the hen lay every morning?' };
  const { status, body, headers } = await ask(asked);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(body).toStrictEqual({
    success: true,
    data: {
      result: expect.stringContaining('The hen lays an egg every morning.'),
      sources: Array(2).fill({
        pageContent: expect.any(String),
        metadata: expect.objectContaining({
          fileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          originalName: expect.stringMatching(/^(fox report|hen)\.txt$/),
        }),
      }),
    },
  });
});

test('200: a question with thousands of accents takes no longer than another of its length', async () => {
  const cost = async (letters: string) => {
    const question = `What does the hen lay? ${letters.repeat(15_000)}`;
    const start = process.cpuUsage();
    expect((await ask({ datasetId: 'animals', question })).status).toBe(200);
    return process.cpuUsage(start).user / 1000;
  };
  await cost('ü ');
  // In milliseconds: to sort them all takes three seconds, in which no other request is answered.
  expect(await cost('\u0301\u0316')).toBeLessThan((await cost('ü ')) + 500);
});

test('200: the result is all that the model wrote, as it wrote it', async () => {
  const pieces = ['', ' It', ' is ', '“quick”.\n\n', '\u2028data: 漢', '字 🦊', '', ' '];
  answerWith(...pieces);
  const { body } = await ask({ datasetId: 'animals', question: 'Is the fox quick?' });
  expect(body.data.result).toBe(pieces.join(''));
});

test('200: a vector of 1536 dimensions and the words find 5 to 10 chunks, which come in the order of similarity', async () => {
  const vectors: Float32Array[] = [];
  faults.before('index.search', ([query]) => {
    vectors.push((query as { vector: Float32Array }).vector);
  });
  const asked = { datasetId: 'rows', question: 'What is row 17 about?' };
  const { body } = await ask(asked);
  const best = { ...asked, mode: 'hybrid', limit: 10 };
  const { body: found } = await customer.rest('POST', '/search', best);
  const sources = body.data.sources.map(({ pageContent }: { pageContent: string }) => pageContent);
  expect(vectors[0]).toHaveLength(1536);
  expect(sources.length).toBeGreaterThanOrEqual(5);
  expect(sources.length).toBeLessThanOrEqual(10);
  const byScore = found.data.toSorted((a: Scored, b: Scored) => b.score - a.score);
  for (const [at, { pageContent }] of byScore.entries()) expect(sources[at]).toContain(pageContent);
});

describe('what the model is asked', () => {
  test('each chunk with number, score, file name and text; then the question', async () => {
    const prompts = answerWith('Yes.');
    const asked = { datasetId: 'animals', question: 'Which animal is quick?' };
    const { body } = await ask(asked);
    const { body: found } = await customer.rest('POST', '/search', asked);
    const [prompt] = prompts;
    const message = prompt?.message ?? '';
    let end = 0;
    for (const [at, { score, pageContent, metadata }] of found.data.entries()) {
      const parts = [String(at + 1), String(score).slice(0, 4), metadata.originalName, pageContent];
      for (const part of parts) {
        end = message.indexOf(part, end);
        expect(end, `${part} in ${message}`).toBeGreaterThanOrEqual(0);
      }
    }
    expect(message.indexOf(asked.question, end)).toBeGreaterThan(end);
    expect(message.endsWith(asked.question)).toBe(true);
    expect(body.data.sources).toHaveLength(found.data.length);
    expect(prompt?.instructions).toMatch(/only from the context/i);
    expect(prompt?.instructions).toMatch(/do(?: not|n't) know/i);
    expect(prompt?.instructions).toMatch(/never invent/i);
  });

  test.each([
    ['a dataset that is not there', { datasetId: 'never' }],
    [
      'filters that nothing matches',
      { datasetId: 'animals', filters: [{ key: 'color', match: { value: 'red' } }] },
    ],
  ])('of %s: that there is no relevant context', async (_, body) => {
    const prompts = answerWith('I do not know.');
    const reply = await ask({ question: 'Is the fox quick?', ...body });
    expect(reply.body).toStrictEqual({
      success: true,
      data: { result: 'I do not know.', sources: [] },
    });
    expect(prompts[0]?.message).toMatch(/no relevant context/i);
    expect(prompts[0]?.message).toContain('Is the fox quick?');
  });

  test('nothing of an earlier question, of its answer or of another dataset', async () => {
    const prompts = answerWith('A secret answer.');
    await ask({ datasetId: 'rows', question: 'A secret question about row 3' });
    await ask({ datasetId: 'animals', question: 'Is the fox quick?' });
    const { instructions = '', message = '' } = prompts[1] ?? {};
    expect(`${instructions}${message}`).not.toMatch(/secret|Row/);
    const again = answerWith('Yes.');
    await ask({ datasetId: 'animals', question: 'Is the fox quick?' });
    expect(again[0]).toEqual({ ...prompts[1], documentFrequencies: expect.any(Function) });
  });
});

test.each([
  ['a dataset that is not there', 'never', 'Is the fox quick?'],
  ['a question that no document answers', 'animals', 'What is the capital of Mongolia?'],
])('200 for %s: it says that it does not know', async (_, datasetId, question) => {
  const { status, body } = await ask({ datasetId, question });
  expect(status).toBe(200);
  expect(body.data.result).toMatch(/\bdo not know\b/i);
});

test('200 for 20 questions at once: each has its own answer', async () => {
  faults.answerWith(async function* ({ question }) {
    yield question;
  });
  const questions = Array.from({ length: 20 }, (_, at) => `What is row ${at} about?`);
  const replies = await Promise.all(
    questions.map((question) => ask({ datasetId: 'rows', question })),
  );
  expect(replies.map(({ body }) => body.data.result)).toEqual(questions);
});

test('200 for a text with a word of 2000 characters, such as an encoded key', async () => {
  const text = `The key of the owl is ${'x'.repeat(2000)} and the owl sleeps by day.`;
  await customer.upload('keys', { 'key.txt': text }, { chunkSize: 2000 });
  const { status, body } = await ask({ datasetId: 'keys', question: 'When does the owl sleep?' });
  expect(status).toBe(200);
  expect(body.data.result).toContain('the owl sleeps by day');
});
