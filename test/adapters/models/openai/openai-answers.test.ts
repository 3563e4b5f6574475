import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOpenAiAnswers } from '../../../../src/adapters/models/openai/openai-answers.ts';
import type { AnswerModel, Prompt } from '../../../../src/ports/language-model.ts';
import { EMPTY_CONTEXT } from '../../../../src/use-cases/questions/prompt.ts';
import { textsOf } from '../../../support/answer-pieces.ts';
import {
  type Fault,
  FIRST_WORDS,
  KEY,
  type OpenAiDouble,
  startOpenAiDouble,
} from '../../../support/openai-double.ts';

const TIMEOUT_MS = 600;
const prompt: Prompt = {
  instructions: 'Answer only from the context.',
  message:
    'Context:\n\nDocument 1 (score 0.9000, file fox.txt):\nThe fox is quick. The dog is lazy.' +
    '\n\nQuestion: Who is quick?',
  question: 'Who is quick?',
  ...EMPTY_CONTEXT,
};
const ANSWER = 'The fox is quick. (fox.txt)';

let double: OpenAiDouble;
let answers: AnswerModel;

beforeAll(async () => {
  double = await startOpenAiDouble();
  answers = create();
});
afterEach(() => double.mend());
afterAll(() => double.close());

function create({
  apiKey = KEY,
  model = 'gpt-4.1-mini',
  timeoutMs = TIMEOUT_MS,
} = {}): AnswerModel {
  return createOpenAiAnswers({ server: { baseUrl: double.url, apiKey }, model, timeoutMs });
}

/** What came of an answer, up to its failure should it have one. */
async function read(
  model: AnswerModel,
  signal = new AbortController().signal,
): Promise<{ pieces: string[]; error?: Error }> {
  const pieces: string[] = [];
  try {
    for await (const piece of model.answer(prompt, signal)) pieces.push(...textsOf([piece]));
    return { pieces };
  } catch (error) {
    return { pieces, error: error as Error };
  }
}

test('an answer comes while the model writes it', async () => {
  double.behave({ pace: 20 });
  const { pieces } = await read(answers);
  expect(pieces.join('')).toBe(ANSWER);
  expect(pieces.length).toBeGreaterThan(1);
});

test('texts that arrive together are one piece, and what came before an error is not lost', async () => {
  const events = ['The fox', ' is', ' quick.'].map((content) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  );
  const body = [...events, 'oops', ...events].map((event) => `data: ${event}\n\n`).join('');
  double.fail('chat', { status: 200, body });
  const { pieces, error } = await read(answers);
  expect(pieces).toEqual(['The fox is quick.']);
  expect(error?.message).toMatch(/failed: Error reading response: malformed/);
});

test('a connection serves further requests, though the response ends later than the answer', async () => {
  double.behave({ pace: 5 });
  for (let asked = 0; asked < 4; asked++) {
    await read(answers);
    await sleep(50);
  }
  const ports = double.requests.map(({ port }) => port);
  // There may be connections of tests before.
  expect(new Set(ports).size).toBeLessThan(ports.length);
});

test('a redirect is followed', async () => {
  const elsewhere = await startOpenAiDouble();
  const headers = { location: `${elsewhere.url}/chat/completions` };
  double.fail('chat', { status: 307, headers }, 9);
  try {
    await read(answers);
    expect(elsewhere.requests).toMatchObject([{ body: { stream: true } }]);
  } finally {
    await elsewhere.close();
  }
});

test('the request has the instructions, the message, the model and the key, and nothing else', async () => {
  await read(answers);
  const [request] = double.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(request?.body).toStrictEqual({
    model: 'gpt-4.1-mini',
    stream: true,
    messages: [
      { role: 'system', content: prompt.instructions },
      { role: 'user', content: prompt.message },
    ],
  });
});

describe('a client that goes away', () => {
  /** Of which no timeout ends the request. */
  const patient = () => create({ timeoutMs: 60_000 });

  test.each([
    ['before the first piece', 'silent', 0],
    ['between two pieces', 'silent after words', 1],
  ] satisfies [string, Fault, number][])('%s ends the request', async (_, fault, count) => {
    double.fail('chat', fault);
    const gone = new AbortController();
    const pieces: string[] = [];
    const reading = async () => {
      for await (const piece of patient().answer(prompt, gone.signal))
        pieces.push(...textsOf([piece]));
    };
    const failed = reading().catch((error: Error) => error);
    await vi.waitFor(() => expect([double.requests.length, pieces.length]).toEqual([1, count]));
    gone.abort();
    expect(await failed).toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(double.requests).toMatchObject([{ aborted: true }]));
  });

  test('ends it too when only the reading stops', async () => {
    double.behave({ pace: 50 });
    for await (const _ of answers.answer(prompt, new AbortController().signal)) break;
    await vi.waitFor(() => expect(double.requests).toMatchObject([{ aborted: true }]));
  });

  test('does not wait for a pause between two attempts', { timeout: 10_000 }, async () => {
    double.fail('chat', { status: 429, headers: { 'retry-after': '20' } });
    const gone = new AbortController();
    const reading = read(patient(), gone.signal);
    await vi.waitFor(() => expect(double.requests).toHaveLength(1));
    gone.abort();
    expect((await reading).error?.name).toBe('AbortError');
  });
});

describe('before the first piece', () => {
  const patient = () => create({ timeoutMs: 20_000 });

  test.each([
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' } }, 1000],
    ['429 without', { status: 429 }, 300],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }, 0],
  ] satisfies [string, Fault, number][])('%s is tried again', async (_, fault, pause) => {
    double.fail('chat', fault);
    const { pieces } = await read(patient());
    expect(pieces.join('')).toBe(ANSWER);
    const [first, second] = double.requests;
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(pause);
  });

  test('what fails three times has failed', async () => {
    double.fail('chat', { status: 429, headers: { 'retry-after': '0' } }, 9);
    const { pieces, error } = await read(patient());
    expect(pieces).toEqual([]);
    expect(error?.message).toMatch(/^CHAT_MODEL: gpt-4.1-mini at http:\S+ failed: 429 /);
    expect(double.requests).toHaveLength(3);
  });

  test('a quota that is used up is named', async () => {
    const body = '{"error": {"message": "Pay.", "code": "insufficient_quota"}}';
    double.fail('chat', { status: 429, body, headers: { 'retry-after': '0' } }, 9);
    const { error } = await read(patient());
    expect(error?.message).toBe(
      'OPENAI_API_KEY: its quota is used up: 429 Pay.; raise it, or use another key',
    );
  });

  test.each([
    ['400', { status: 400 }, /^CHAT_MODEL: .* 400 .*\(request req_double\)$/],
    ['401', { status: 401 }, /^OPENAI_API_KEY: http:\S+ rejects it: 401 /],
    ['404', { status: 404 }, /^CHAT_MODEL: .* does not exist \(or OPENAI_BASE_URL .*\): 404 /],
    ['a page', { status: 200, body: '<html>Welcome</html>' }, /failed: its answer was cut off$/],
    ['silence', 'silent', /failed: it sent nothing for 0.6 seconds$/],
    ['silence after headers', 'silent after headers', /failed: it sent nothing for 0.6 seconds$/],
  ] satisfies [string, Fault, RegExp][])('%s fails at once', async (_, fault, message) => {
    double.fail('chat', fault);
    const { pieces, error } = await read(answers);
    expect(pieces).toEqual([]);
    expect(error?.message).toMatch(message);
    expect(double.requests).toHaveLength(1);
  });
});

describe('after the first piece, nothing is tried again:', () => {
  test.each([
    ['a connection that breaks', 'cut', /failed: the connection was closed$/],
    ['an answer that just ends', 'ended early', /failed: its answer was cut off$/],
    ['garbage', 'garbage', /failed: Error reading response: malformed/],
    ['silence', 'silent after words', /failed: it sent nothing for 0.6 seconds$/],
  ] satisfies [string, Fault, RegExp][])('%s fails', async (_, fault, message) => {
    double.fail('chat', fault);
    const { pieces, error } = await read(answers);
    expect(pieces).toEqual([FIRST_WORDS]);
    expect(error?.message).toMatch(message);
    await sleep(50);
    expect(double.requests).toHaveLength(1);
  });
});

test('a reader may take longer for a piece than the model may', async () => {
  double.behave({ pace: 20 });
  let text = '';
  for await (const piece of answers.answer(prompt, new AbortController().signal)) {
    if (text === '') await sleep(TIMEOUT_MS + 100);
    text += piece;
  }
  expect(text).toBe(ANSWER);
});

test('an error never holds the key, though the server repeats it, nor anything but its text', async () => {
  const { error } = await read(create({ apiKey: 'sk-wrong-key' }));
  expect(error?.message).toContain('Incorrect API key provided: [the key].');
  expect(Object.keys(error ?? {})).toEqual([]);
  expect(error?.cause).toBeUndefined();
});
