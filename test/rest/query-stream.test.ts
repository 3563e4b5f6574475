import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { newCustomer } from '../support/client.ts';
import { deltasOf, parseEvents } from '../support/events.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';

const faults = createFaults();
let gateway: TestGateway;
/** With one credit. */
let customer: Awaited<ReturnType<typeof newCustomer>>;
const asked = { datasetId: 'animals', question: 'Is the fox quick?' };
const LONG = 'The fox is quick, and it hunts at night. ';

beforeAll(async () => {
  gateway = await startBeside({ PRICE_UPLOAD: '0' }, faults.override);
});
beforeEach(async () => {
  customer = await newCustomer(gateway, '1');
  await customer.upload('animals', { 'fox.txt': LONG.repeat(20) });
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const ask = (body: object = {}, init: RequestInit = {}) =>
  customer.raw('POST', '/v1/query', { ...asked, ...body }, init);
const credits = async () => (await gateway.admin.showCredits(customer.customerId)).credits;
const answerWith = (...pieces: string[]) =>
  faults.answerWith(async function* () {
    yield* pieces;
  });

test.each([
  ['stream true', { stream: true }],
  ['stream left out', {}],
  ['stream null', { stream: null }],
])('200 with %s: an event stream, with exactly these headers', async (_, body) => {
  const response = await ask(body);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('connection')).toBe('keep-alive');
  expect(response.headers.get('x-ratelimit-limit')).toBe('1000');
  await response.text();
});

test('200: deltas, then done; together they are the answer in one piece', async () => {
  const events = parseEvents(await (await ask()).text());
  const whole = await customer.rest('POST', '/query', { ...asked, stream: false });
  expect(events.at(-1)).toStrictEqual({ done: true });
  for (const event of events.slice(0, -1)) {
    expect(event).toStrictEqual({ delta: expect.any(String) });
  }
  expect(deltasOf(events).join('')).toBe(whole.body.data.result);
  expect(deltasOf(events).length).toBeGreaterThan(0);
});

test.each([
  ['single characters', Array.from(LONG.repeat(5))],
  ['words', LONG.repeat(5).split(/(?<= )/)],
  ['a piece of 29 and one of 1', ['x'.repeat(29), 'y', 'z'.repeat(29), 'z']],
  ['pieces of 30', ['x'.repeat(30), 'y'.repeat(30)]],
  ['long ones between short ones', ['a', LONG.repeat(9), 'b', 'c', LONG]],
  ['empty ones', ['', '', LONG, '', 'end', '']],
  ['fewer than 30 characters in all', ['No', '.']],
  ['what looks like events', ['data: {"done":true}\n\n', 'data: x\n\n\r\n\u2028\u2029'.repeat(3)]],
  ['other writing', Array.from('狐狸很快。🦊'.repeat(20))],
])('200 for %s: deltas of at least 30 characters, but for the last', async (_, pieces) => {
  answerWith(...pieces);
  const events = parseEvents(await (await ask()).text());
  const deltas = deltasOf(events);
  expect(deltas.join('')).toBe(pieces.join(''));
  expect(deltas.slice(0, -1).filter((delta) => delta.length < 30)).toEqual([]);
  expect(deltas).not.toContain('');
  expect(events).toHaveLength(deltas.length + 1);
  expect(events.at(-1)).toStrictEqual({ done: true });
});

test('200 for an answer without a word: done alone', async () => {
  answerWith();
  expect(await (await ask()).text()).toBe('data: {"done":true}\n\n');
});

test('200: a delta is sent when it is written, not when the answer is complete', async () => {
  const { promise: read, resolve } = Promise.withResolvers<void>();
  faults.answerWith(async function* () {
    yield LONG;
    await read;
    yield 'That is all.';
  });
  const reader = ((await ask()).body as ReadableStream<Uint8Array>).getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  expect(parseEvents(first)).toEqual([{ delta: LONG }]);
  resolve();
  const rest: string[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest.push(new TextDecoder().decode(part.value));
  }
  expect(parseEvents(rest.join(''))).toEqual([{ delta: 'That is all.' }, { done: true }]);
});

describe('a failure', () => {
  const broken = () => {
    throw new Error('the model is broken, and its key is sk-secret');
  };

  test.each<[string, () => void]>([
    ['the question cannot be embedded', () => faults.fail('embeddings.embedQuestion')],
    ['nothing can be found', () => faults.fail('index.search')],
    ['the model fails at once', () => faults.answerWith(broken)],
    [
      'the model fails before it has written 30 characters',
      () =>
        faults.answerWith(async function* () {
          yield 'The fox';
          broken();
        }),
    ],
  ])('500 when %s: Internal error, and the charge is given back', async (_, breakIt) => {
    breakIt();
    for (const stream of [true, false]) {
      const { status, body } = await customer.rest('POST', '/query', { ...asked, stream });
      expect(status).toBe(500);
      expect(body).toStrictEqual({ error: 'Internal error' });
    }
    expect(await credits()).toBe('1');
    const { entries } = await gateway.admin.showCredits(customer.customerId);
    expect(entries.map(({ amount }) => amount)).toEqual(['0.1', '-0.1', '0.1', '-0.1', '1']);
  });

  test.each([1, 3])(
    '200 when the model fails after %i deltas: an error event ends the stream, and the charge is kept',
    async (count) => {
      faults.answerWith(async function* () {
        for (let at = 0; at < count; at++) yield LONG;
        broken();
      });
      const response = await ask();
      expect(response.status).toBe(200);
      expect(parseEvents(await response.text())).toEqual([
        ...Array(count).fill({ delta: LONG }),
        { error: 'Streaming error on server' },
      ]);
      expect(await credits()).toBe('0.9');
    },
  );

  test('500 with stream false when the model fails after a delta: the charge is given back', async () => {
    faults.answerWith(async function* () {
      yield LONG;
      broken();
    });
    const { status, body } = await customer.rest('POST', '/query', { ...asked, stream: false });
    expect(status).toBe(500);
    expect(body).toStrictEqual({ error: 'Internal error' });
    expect(await credits()).toBe('1');
  });
});

describe('a model that is silent', () => {
  /** A model that writes when it is told to. */
  function heldModel() {
    const said: PromiseWithResolvers<string>[] = [Promise.withResolvers(), Promise.withResolvers()];
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    faults.answerWith(async function* () {
      resolve();
      for (const { promise } of said) yield await promise;
    });
    return { asked, said };
  }

  beforeEach(() => {
    // Otherwise the pool of the database could not clear those that it has set before.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const readText = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
    new TextDecoder().decode((await reader.read()).value);

  /** The stream of a question, when ten seconds have gone by without a word. */
  async function silentStream(asked: Promise<void>) {
    let answered = false;
    const answer = ask().finally(() => {
      answered = true;
    });
    await asked;
    await vi.advanceTimersByTimeAsync(9_900);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('connection')).toBe('keep-alive');
    return (response.body as ReadableStream<Uint8Array>).getReader();
  }

  test('200 after 10 seconds, a comment every 10 seconds, then the answer', async () => {
    const { asked, said } = heldModel();
    const reader = await silentStream(asked);
    expect(await readText(reader)).toBe(':\n\n');
    for (let at = 0; at < 2; at++) {
      const comment = readText(reader);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await comment).toBe(':\n\n');
    }
    said[0]?.resolve(LONG);
    expect(parseEvents(await readText(reader))).toEqual([{ delta: LONG }]);
    const comment = readText(reader);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await comment).toBe(':\n\n');
    said[1]?.resolve('That is all.');
    expect(await readText(reader)).toContain('That is all.');
    expect(parseEvents(await readText(reader))).toEqual([{ done: true }]);
    expect(await credits()).toBe('0.9');
  });

  test('200, and an error event when it fails then: the charge is given back', async () => {
    const { asked, said } = heldModel();
    const reader = await silentStream(asked);
    expect(await readText(reader)).toBe(':\n\n');
    said[0]?.reject(new Error('the model is broken'));
    expect(parseEvents(await readText(reader))).toEqual([{ error: 'Streaming error on server' }]);
    expect((await reader.read()).done).toBe(true);
    expect(await credits()).toBe('1');
  });

  test('500 when it fails before 10 seconds', async () => {
    const { asked, said } = heldModel();
    const answer = ask();
    await asked;
    await vi.advanceTimersByTimeAsync(9_900);
    said[0]?.reject(new Error('the model is broken'));
    expect((await answer).status).toBe(500);
  });

  test('and whose reader goes away meanwhile is not waited for', async () => {
    const { asked, said } = heldModel();
    const reader = await silentStream(asked);
    await reader.read();
    const left = reader.cancel();
    said[0]?.reject(new Error('aborted'));
    await left;
  });
});

describe('a client that goes away', () => {
  /** The model would work for a minute. */
  const BRIEF = { timeout: 10_000 };

  /** A model that writes some pieces and then works for a long time. */
  function slowModel(...pieces: string[]) {
    const { promise: working, resolve: works } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: aborts } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_, signal) {
      signal.addEventListener('abort', () => aborts());
      yield* pieces;
      works();
      await setTimeout(60_000, undefined, { signal });
    });
    return { working, aborted };
  }

  test('ends the work of the model, when it leaves the stream', BRIEF, async () => {
    const { aborted } = slowModel(LONG, LONG);
    const reader = ((await ask()).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    await aborted;
    expect(await credits()).toBe('0.9');
  });

  test.each([
    ['before the first delta', true, []],
    ['before the first delta has 30 characters', true, ['The fox']],
    ['with stream false', false, [LONG]],
  ])('ends the work of the model, %s', BRIEF, async (_, stream, pieces) => {
    const { working, aborted } = slowModel(...pieces);
    const gone = new AbortController();
    const answer = ask({ stream }, { signal: gone.signal });
    await working;
    gone.abort();
    await aborted;
    await answer.catch(() => {});
  });

  test('ends the work of the model, over a real connection', BRIEF, async () => {
    const { aborted } = slowModel(LONG, LONG);
    const server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
    try {
      const gone = new AbortController();
      const response = await fetch(`${server.url}/v1/query`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${customer.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(asked),
        signal: gone.signal,
      });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('connection')).toBe('keep-alive');
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^data: \{"delta":/);
      gone.abort();
      await aborted;
    } finally {
      await server.stop();
    }
  });
});
