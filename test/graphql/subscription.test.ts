import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  AskQuestionDocument,
  type AskQuestionSubscription,
  type AskQuestionSubscriptionVariables,
  ViewerDocument,
} from '../../src/generated/graphql.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { answerOf, askOverSse } from '../support/graphql.ts';

const PIECE = 'Thirty characters and some more.';
const question = 'What is the capital of Andorra?';
const query = print(AskQuestionDocument);

let gateway: TestGateway;
let server: Listening;
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  gateway = await shareGateway();
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  me = await newCustomer(gateway, '100');
  await me.upload('docs', { 'a.txt': 'The capital of Andorra is Andorra la Vella.' });
  await me.upload('rivers', { 'b.txt': 'The longest river of Andorra is the Valira.' });
});
afterEach(() => faults.mend());
afterAll(async () => {
  await server.stop();
  await gateway.close();
});

describe('through graphql-sse, in distinct connections mode,', () => {
  it('an answer comes as next, and next, and complete', async () => {
    const [sources, ...events] = await ask({ datasetId: 'docs', question });
    expect(sources).toEqual({
      data: { askQuestion: { sources: [{ score: expect.any(Number), originalName: 'a.txt' }] } },
    });
    const cited = events.splice(-2, 1);
    const deltas = events.slice(0, -1).map(deltaOf);
    expect(deltas.length).toBeGreaterThan(1);
    for (const delta of deltas.slice(0, -1)) expect(delta.length).toBeGreaterThanOrEqual(30);
    const result = deltas.join('');
    expect(result).toContain('Andorra la Vella');
    expect(events.at(-1)).toEqual({ data: { askQuestion: { result } } });
    const quotation = '"The capital of Andorra is Andorra la Vella."';
    const start = result.indexOf(quotation);
    expect(cited).toEqual([
      {
        data: {
          askQuestion: {
            citation: {
              ...{ start, end: start + quotation.length },
              ...{ supported: true, hit: { originalName: 'a.txt' } },
            },
          },
        },
      },
    ]);
  });

  it('many answers at once do not mix', async () => {
    const asked = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'docs' : 'rivers'));
    const answers = await Promise.all(
      asked.map((datasetId) => ask({ datasetId, question: 'capital or longest river?' })),
    );
    for (const [at, [sources]] of answers.entries()) {
      const originalName = asked[at] === 'docs' ? 'a.txt' : 'b.txt';
      expect(sources).toMatchObject({ data: { askQuestion: { sources: [{ originalName }] } } });
    }
  });

  it('a refusal comes as next with errors, and complete', async () => {
    const events = await ask({ datasetId: 'docs', question: ' ' });
    expect(events).toMatchObject([
      {
        errors: [
          {
            message: 'datasetId and question are required',
            extensions: { code: 'DATASET_AND_QUESTION_REQUIRED', requestId: expect.any(String) },
          },
        ],
      },
    ]);
  });

  it('a variable of a wrong type comes as next with errors, and complete', async () => {
    const events = await ask({ datasetId: 'docs', question: 1 as unknown as string });
    expect(events).toMatchObject([
      {
        errors: [
          {
            message: expect.stringContaining('"$question" got invalid value 1'),
            extensions: { code: 'INVALID_INPUT', requestId: expect.any(String) },
          },
        ],
      },
    ]);
  });

  it('a failure in the middle comes as next with errors after the deltas, and complete', async () => {
    faults.answerWith(async function* () {
      yield PIECE;
      throw new Error('broken on purpose');
    });
    const [, delta, failure, ...rest] = await ask({ datasetId: 'docs', question });
    expect(deltaOf(delta)).toBe(PIECE);
    expect(failure).toMatchObject({
      errors: [{ message: 'Internal error', extensions: { code: 'INTERNAL' } }],
    });
    expect(failure).not.toHaveProperty('data.askQuestion');
    expect(rest).toEqual([]);
  });

  it('a bad credential refuses the request with 401', async () => {
    const failure = ask({ datasetId: 'docs', question }, 'fq_bad').catch((error) => error);
    expect(await failure).toMatchObject({ response: { status: 401 } });
  });

  it('a missing credential is an error of the subscription', async () => {
    const events = await ask({ datasetId: 'docs', question }, '');
    expect(events).toMatchObject([{ errors: [{ extensions: { code: 'MISSING_CREDENTIAL' } }] }]);
  });
});

describe('a client that goes away', () => {
  it.each([
    ['while it waits for the first delta', []],
    ['between deltas', [PIECE]],
  ])('%s ends the model call', { timeout: 10_000 }, async (_, pieces) => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { promise: called, resolve: call } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_prompt, signal) {
      signal.addEventListener('abort', () => resolve());
      yield* pieces;
      call();
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const events = connect(me.apiKey).iterate<AskQuestionSubscription>({
      query,
      variables: { datasetId: 'docs', question },
    });
    for (let event = 0; event < 1 + pieces.length; event++) await events.next();
    await called;
    await events.return?.();
    await aborted;
  });

  it('is not given back what it paid', async () => {
    const customer = await newCustomer(gateway, '2');
    await customer.upload('docs', { 'a.txt': 'Apples.' });
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_prompt, signal) {
      yield PIECE;
      await new Promise<void>((ended) => signal.addEventListener('abort', () => ended()));
      resolve();
    });
    const events = connect(customer.apiKey).iterate({
      query,
      variables: { datasetId: 'docs', question },
    });
    await events.next();
    await events.return?.();
    await aborted;
    expect(await creditsOf(customer)).toBe('0.9');
  });
});

describe('a failure', () => {
  it('before the sources is given back', async () => {
    const customer = await newCustomer(gateway, '2');
    await customer.upload('docs', { 'a.txt': 'Apples.' });
    faults.fail('embeddings.embedQuestion');
    await askOverSse(customer, { datasetId: 'docs', question });
    expect(await creditsOf(customer)).toBe('1');
  });

  it('after the sources is not: they are a search', async () => {
    const customer = await newCustomer(gateway, '2');
    await customer.upload('docs', { 'a.txt': 'Apples.' });
    // biome-ignore lint/correctness/useYield: it fails before its first word
    faults.answerWith(async function* () {
      throw new Error('broken on purpose');
    });
    const { events } = await askOverSse(customer, { datasetId: 'docs', question });
    expect(events[0]?.data).toHaveProperty('data.askQuestion.sources');
    expect(await creditsOf(customer)).toBe('0.9');
  });

  it('after a delta is not', async () => {
    const customer = await newCustomer(gateway, '2');
    await customer.upload('docs', { 'a.txt': 'Apples.' });
    faults.answerWith(async function* () {
      yield PIECE;
      throw new Error('broken on purpose');
    });
    await askOverSse(customer, { datasetId: 'docs', question });
    expect(await creditsOf(customer)).toBe('0.9');
  });
});

it('is a stream of named events, also when it is asked by GET', async () => {
  const asked = new URLSearchParams({
    query,
    variables: JSON.stringify({ datasetId: 'docs', question }),
  });
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${me.apiKey}` };
  const response = await fetch(`${server.url}/graphql?${asked}`, { headers });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const names = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
  expect(new Set(names.slice(0, -1))).toEqual(new Set(['next']));
  expect(names.at(-1)).toBe('complete');
});

it('sends each event in one piece', async () => {
  const response = await me.raw(
    'POST',
    '/graphql',
    { query, variables: { datasetId: 'docs', question } },
    { headers: { accept: 'text/event-stream', 'content-type': 'application/json' } },
  );
  const body = response.body as ReadableStream<Uint8Array>;
  const pieces = await Array.fromAsync(body, (piece) => Buffer.from(piece).toString());
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.slice(1, -1).filter((piece) => !/^event: next\ndata: .+\n\n$/.test(piece))).toEqual(
    [],
  );
  expect(pieces.at(-1)).toBe('event: complete\ndata:\n\n');
});

it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])(
  'writes nothing on the console when the client goes away: %s',
  async (accept) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_prompt, signal) {
      try {
        yield PIECE;
        if (!signal.aborted) await once(signal, 'abort');
        signal.throwIfAborted();
      } finally {
        resolve();
      }
    });
    const consoleError = vi.spyOn(console, 'error');
    const gone = new AbortController();
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        authorization: `Bearer ${me.apiKey}`,
      },
      body: JSON.stringify({ query, variables: { datasetId: 'docs', question } }),
      signal: gone.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes(PIECE)) text += Buffer.from((await reader.read()).value ?? []).toString();
    gone.abort();
    await ended;
    // What the server prints, it prints in the same turn.
    await setImmediate();
    expect(consoleError).not.toHaveBeenCalled();
    consoleError.mockRestore();
  },
);

it('of a token needs no dataset, and takes no other', async () => {
  const { token } = await gateway.admin.createToken(me.customerId, 'rivers');
  const bearer = createClient(gateway, token);
  const own = await askOverSse(bearer, { question: 'What is the longest river of Andorra?' });
  expect(answerOf(own.events)).toContain('Valira');
  const { events } = await askOverSse(bearer, { datasetId: 'docs', question });
  expect(events).toMatchObject([
    {
      event: 'next',
      data: { errors: [{ extensions: { code: 'DATASET_MISMATCH_IN_REQUEST' } }] },
    },
    { event: 'complete' },
  ]);
});

type Event = { data?: AskQuestionSubscription | null; errors?: readonly unknown[] };

/** Every event of an answer. */
async function ask(
  variables: AskQuestionSubscriptionVariables,
  credential = me.apiKey,
): Promise<Event[]> {
  const events: Event[] = [];
  const stream = connect(credential).iterate<AskQuestionSubscription>({ query, variables });
  for await (const event of stream) events.push(event);
  return events;
}

function connect(credential: string) {
  const headers: Record<string, string> = {};
  if (credential) headers['authorization'] = `Bearer ${credential}`;
  return createSseClient({ url: `${server.url}/graphql`, headers, retryAttempts: 0 });
}

function deltaOf(event: Event | undefined): string {
  const asked = event?.data?.askQuestion;
  return asked && 'delta' in asked ? asked.delta : '';
}

async function creditsOf(client: Client): Promise<string | null | undefined> {
  return (await client.graphql(ViewerDocument)).data.viewer?.credits;
}
