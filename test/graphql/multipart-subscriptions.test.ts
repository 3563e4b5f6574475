import { once } from 'node:events';
import { print } from 'graphql';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AskQuestionDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

const ACCEPT = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json';
const PIECE = 'Thirty characters and some more.';

let gateway: TestGateway;
let me: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '100');
  await me.upload('docs', { 'a.txt': 'The capital of Andorra is Andorra la Vella.' });
});
afterEach(() => {
  vi.useRealTimers();
  faults.mend();
});
afterAll(() => gateway.close());

it('is one response with a part for each event', async () => {
  const response = await ask();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(
    'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  );
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  const text = await response.text();
  expect(text).toMatch(/^\r\n--graphql\r\nContent-Type: application\/json\r\n\r\n\{"payload":/);
  expect(text).toMatch(/\}\r\n--graphql--\r\n$/);
  const events = partsOf(text).map((part) => part.payload.data.askQuestion);
  expect(events[0]).toHaveProperty('sources');
  expect(events.at(-1).result).toContain('Andorra la Vella');
});

it('has a failure in the middle as the last part', async () => {
  faults.answerWith(async function* () {
    yield PIECE;
    throw new Error('broken on purpose');
  });
  const parts = partsOf(await (await ask()).text());
  expect(parts.at(-2)).toMatchObject({ payload: { data: { askQuestion: { delta: PIECE } } } });
  expect(parts.at(-1)).toMatchObject({
    payload: { errors: [{ extensions: { code: 'INTERNAL' } }] },
  });
});

it('has a heartbeat while nothing happens', async () => {
  const { promise: waited, resolve: go } = Promise.withResolvers<void>();
  faults.answerWith(async function* () {
    await waited;
    yield PIECE;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  const { read } = readerOf(await ask());
  await read('"sources"');
  const beat = read('\r\n\r\n{}\r\n--graphql');
  await vi.advanceTimersByTimeAsync(10_000);
  await beat;
  vi.useRealTimers();
  go();
  await read('--graphql--');
});

it('ends the model call when the client goes away', async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  faults.answerWith(async function* (_prompt, signal) {
    try {
      yield PIECE;
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      resolve();
    }
  });
  const { read, cancel } = readerOf(await ask());
  await read(PIECE);
  await cancel();
  await aborted;
});

it('is for clients that ask for it: others get SSE', async () => {
  const response = await ask('multipart/mixed, text/event-stream');
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await response.text()).toContain('event: complete');
});

it('refuses a request as it is refused elsewhere', async () => {
  const response = await ask(ACCEPT, { query: 'subscription { nothing }' });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  });
});

function ask(accept = ACCEPT, request: object = QUESTION): Promise<Response> {
  const headers = { accept, 'content-type': 'application/json' };
  return me.raw('POST', '/graphql', request, { headers });
}

const QUESTION = {
  query: print(AskQuestionDocument),
  variables: { datasetId: 'docs', question: 'What is the capital of Andorra?' },
};

/** Reads a response until it has said something. */
function readerOf({ body }: Response) {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    async read(part: string) {
      while (!text.includes(part)) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The response ended before ${part}`);
        text += decoder.decode(value, { stream: true });
      }
    },
    cancel: () => reader?.cancel(),
  };
}

function partsOf(text: string) {
  const parts = text.split('\r\n--graphql').filter((part) => part.includes('{'));
  return parts.map((part) => JSON.parse(part.slice(part.indexOf('\r\n\r\n'))));
}
