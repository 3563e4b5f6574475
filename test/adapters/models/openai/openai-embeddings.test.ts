import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOpenAiEmbeddings } from '../../../../src/adapters/models/openai/openai-embeddings.ts';
import { ConfigurationError } from '../../../../src/core/errors.ts';
import type { EmbeddingModel, Vector } from '../../../../src/ports/language-model.ts';
import {
  type Fault,
  KEY,
  type OpenAiDouble,
  startOpenAiDouble,
} from '../../../support/openai-double.ts';

const TIMEOUT_MS = 600;
const SOON = { timeout: 10_000 };

let double: OpenAiDouble;
let embeddings: EmbeddingModel;

beforeAll(async () => {
  double = await startOpenAiDouble({ models: null });
  embeddings = create();
});
afterEach(() => double.mend());
afterAll(() => double.close());

function create({
  model = 'text-embedding-3-small',
  baseUrl = double.url,
  timeoutMs = TIMEOUT_MS,
} = {}): EmbeddingModel {
  return createOpenAiEmbeddings({ server: { baseUrl, apiKey: KEY }, model, timeoutMs });
}

const bodies = () => double.asked('embeddings').map(({ body }) => body);
const cosine = (a: Vector, b: Vector) =>
  a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0) /
  (Math.hypot(...a) * Math.hypot(...b));
const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => Promise.reject(new Error('it has not failed')),
    (error) => error,
  );

test('texts become vectors of 1536 dimensions, in their order', async () => {
  const [fox, bread] = await embeddings.embedTexts(['The fox is quick.', 'Bread is baked.']);
  const question = await embeddings.embedQuestion('Which fox is quick?');
  expect(fox).toBeInstanceOf(Float32Array);
  expect(fox).toHaveLength(1536);
  expect(bread).toHaveLength(1536);
  expect(fox && cosine(question, fox)).toBeGreaterThan((bread && cosine(question, bread)) ?? 1);
});

test('a request has the texts as they are, the model, the dimensions, and asks for base64', async () => {
  await embeddings.embedTexts(['One line.\nAnother line.']);
  const [request] = double.requests;
  expect(request?.path).toBe('/v1/embeddings');
  expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(request?.body).toStrictEqual({
    model: 'text-embedding-3-small',
    input: ['One line.\nAnother line.'],
    dimensions: 1536,
    encoding_format: 'base64',
  });
});

describe('dimensions:', () => {
  test('fewer are filled up with zeros, which changes no cosine', async () => {
    double.behave({ dimensions: 768 });
    const [a, b] = await create({ model: 'nomic-embed-text' }).embedTexts([
      'A fox.',
      'Quick foxes.',
    ]);
    expect(bodies()[0]).not.toHaveProperty('dimensions');
    expect(a).toHaveLength(1536);
    expect(a?.subarray(768).every((number) => number === 0)).toBe(true);
    expect(a && b && cosine(a, b)).toBeCloseTo(
      (a && b && cosine(a.subarray(0, 768), b.subarray(0, 768))) ?? 9,
    );
  });

  test('of a model that can make fewer, 1536 are asked for', async () => {
    double.behave({ dimensions: 3072 });
    const [vector] = await create({ model: 'text-embedding-3-large' }).embedTexts(['A fox.']);
    expect(vector).toHaveLength(1536);
    expect(bodies()[0]).toMatchObject({ model: 'text-embedding-3-large', dimensions: 1536 });
  });

  test('more of a model that cannot are refused, with one line that names the setting', async () => {
    double.behave({ dimensions: 4096 });
    const error = await failure(create({ model: 'large' }).check());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(
      'EMBEDDING_MODEL: large makes vectors of 4096 dimensions; at most 1536 can be stored',
    );
  });
});

describe('many texts', () => {
  const texts = Array.from({ length: 1000 }, (_, at) => `Text number ${at}.`);

  test('go in batches, and come back in their order', async () => {
    const vectors = await create({ timeoutMs: 20_000 }).embedTexts(texts);
    const sizes = bodies().map(({ input }) => input.length);
    expect(Math.max(...sizes)).toBe(96);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1000);
    const [last] = await embeddings.embedTexts(['Text number 999.']);
    expect(vectors.at(-1)).toEqual(last);
  });

  test('never make more than eight requests at once, of all callers together', async () => {
    double.fail('embeddings', 'silent', 99);
    const gone = new AbortController();
    const waiting = [1, 2, 3].map(() => failure(embeddings.embedTexts(texts, gone.signal)));
    await vi.waitFor(() => expect(double.requests).toHaveLength(8));
    await sleep(100);
    expect(double.requests).toHaveLength(8);

    double.mend();
    await embeddings.embedQuestion('A question does not queue.');
    gone.abort();
    await Promise.all(waiting);
  });
});

test('a question that no model takes in one piece goes in several', async () => {
  const question = '漢字'.repeat(16_000);
  const vector = await embeddings.embedQuestion(question);
  expect(vector).toHaveLength(1536);
  const pieces: string[] = bodies()[0].input;
  expect(pieces.join('')).toBe(question);
  expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(8000);
});

test('a caller that goes away ends the requests, also those that wait', async () => {
  double.fail('embeddings', 'silent', 99);
  const gone = new AbortController();
  const texts = Array.from({ length: 2000 }, (_, at) => `Text number ${at}.`);
  const failed = failure(create({ timeoutMs: 60_000 }).embedTexts(texts, gone.signal));
  await vi.waitFor(() => expect(double.requests).toHaveLength(8), SOON);
  gone.abort();
  expect((await failed).name).toBe('AbortError');
  const areAborted = () => expect(double.requests.every(({ aborted }) => aborted)).toBe(true);
  await vi.waitFor(areAborted, SOON);
  await sleep(100);
  expect(double.requests).toHaveLength(8);
});

describe('failures:', () => {
  test.each([
    ['429, as Retry-After says', { status: 429, headers: { 'retry-after': '1' } }, 1000],
    ['429 without it', { status: 429 }, 300],
    ['silence', 'silent', TIMEOUT_MS / 2],
  ] satisfies [string, Fault, number][])('%s is tried again', async (_, fault, pause) => {
    double.fail('embeddings', fault);
    await embeddings.embedQuestion('Who is quick?');
    const [first, second] = double.requests;
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(pause);
  });

  test.each([
    ['401', { status: 401 }, /^OPENAI_API_KEY: /],
    ['404', { status: 404 }, /^EMBEDDING_MODEL: .* does not exist/],
    ['lasting silence', 'silent', /^EMBEDDING_MODEL: .* failed: it did not answer in time$/],
    ['a connection that breaks', 'cut', /failed: the connection was closed$/],
    ['garbage', 'garbage', /failed: Unexpected token/],
    ['a page', { status: 200, body: '<html>Welcome</html>' }, /failed: it sent no embeddings$/],
    ['something else', { status: 200, body: '{}' }, /failed: it sent no embeddings$/],
  ] satisfies [string, Fault, RegExp][])(
    '%s has failed in the end, after two attempts at most',
    async (_, fault, message) => {
      double.fail('embeddings', fault, 99);
      const error = await failure(embeddings.embedQuestion('Who is quick?'));
      expect(error.message).toMatch(message);
      expect(double.requests.length).toBeLessThanOrEqual(2);
    },
  );
});

test('a dataset knows the model by its bare name, wherever it is', () => {
  expect(create({ baseUrl: 'http://proxy.example/v1' }).name).toBe('text-embedding-3-small');
});
