import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { deltasOf, parseEvents } from '../support/events.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { askOverSse } from '../support/graphql.ts';
import {
  type Fault,
  FIRST_WORDS,
  KEY,
  type OpenAiDouble,
  startOpenAiDouble,
} from '../support/openai-double.ts';

/* What becomes of a question when the server of the models fails, or the client goes away. */

const asked = { datasetId: 'docs', question: 'Who is quick?' };
const NOW = { 'retry-after': '0' };
const PRICE = 0.1;
const SOON = { timeout: 10_000, interval: 5 };
const SSE = { accept: 'text/event-stream' };

let double: OpenAiDouble;
let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  double = await startOpenAiDouble();
  const server = { OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY };
  gateway = await startBeside({ ...server, MODEL_TIMEOUT: '1' });
  customer = await newCustomer(gateway, '100');
  await customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
});
afterEach(() => double.mend());
afterAll(async () => {
  await gateway.close();
  await double.close();
});

const credits = async () => Number((await customer.graphql(ViewerDocument)).data.viewer?.credits);

/** What an operation cost. */
async function costOf<T>(operation: () => Promise<T>): Promise<{ cost: number; outcome: T }> {
  const before = await credits();
  const outcome = await operation();
  return { cost: Math.round((before - (await credits())) * 1e6) / 1e6, outcome };
}

const BEFORE: [string, 'chat' | 'embeddings', Fault][] = [
  ['401', 'chat', { status: 401 }],
  ['429 for good', 'chat', { status: 429, headers: NOW }],
  ['500 for good', 'chat', { status: 500, headers: NOW }],
  ['a hang', 'chat', 'silent'],
  ['a page', 'chat', { status: 200, body: '<html>Welcome</html>' }],
  ['401', 'embeddings', { status: 401 }],
  ['429 for good', 'embeddings', { status: 429, headers: NOW }],
  ['a hang', 'embeddings', 'silent'],
  ['garbage', 'embeddings', 'garbage'],
];

describe('500 Internal error, and only delivered sources are charged, before the first delta:', () => {
  test.each(BEFORE)('%s of %s', async (_, endpoint, fault) => {
    double.fail(endpoint, fault, 99);
    const { cost, outcome } = await costOf(() =>
      Promise.all([
        customer.rest('POST', '/query', asked),
        customer.rest('POST', '/query', { ...asked, stream: false }),
        askOverSse(customer, asked),
      ]),
    );
    const [stream, whole, { events }] = outcome;
    for (const { status, body } of [stream, whole]) {
      expect([status, body]).toEqual([500, { error: 'Internal error' }]);
    }
    expect(events.flatMap(({ data }) => data.errors ?? [])).toMatchObject([
      { message: 'Internal error', extensions: { code: 'INTERNAL' } },
    ]);
    // The subscription has its sources, which are a search.
    expect(cost).toBe(endpoint === 'chat' ? PRICE : 0);
  });

  test('a search costs nothing either', async () => {
    double.fail('embeddings', { status: 401 });
    const { cost, outcome } = await costOf(() => customer.rest('POST', '/search', asked));
    expect([outcome.status, outcome.body]).toEqual([500, { error: 'Internal error' }]);
    expect(cost).toBe(0);
  });
});

describe('200 and an error event after the first delta, which is paid for:', () => {
  test.each<Fault>(['cut', 'ended early', 'garbage', 'silent after words'])('%s', async (fault) => {
    double.fail('chat', fault);
    const { cost, outcome } = await costOf(() => customer.rest('POST', '/query', asked));
    expect(outcome.status).toBe(200);
    expect(parseEvents(outcome.body)).toEqual([
      { delta: FIRST_WORDS },
      { error: 'Streaming error on server' },
    ]);
    expect(cost).toBe(PRICE);
    expect(double.asked('chat')).toHaveLength(1);
  });

  test('a content filter that cuts the answer off', async () => {
    double.behave({ say: [FIRST_WORDS], end: 'content_filter' });
    const { cost, outcome } = await costOf(() => customer.rest('POST', '/query', asked));
    expect(parseEvents(outcome.body)).toEqual([
      { delta: FIRST_WORDS },
      { error: 'Streaming error on server' },
    ]);
    expect(cost).toBe(PRICE);
  });

  test.each([
    ['is cut', () => double.fail('chat', 'cut')],
    ['is filtered', () => double.behave({ end: 'content_filter' })],
  ])('500, and nothing is charged, when an answer in one piece %s', async (_, breakDown) => {
    breakDown();
    const { cost, outcome } = await costOf(() =>
      customer.rest('POST', '/query', { ...asked, stream: false }),
    );
    expect([outcome.status, outcome.body]).toEqual([500, { error: 'Internal error' }]);
    expect(cost).toBe(0);
  });
});

test.each<[string, Fault]>([
  ['429', { status: 429, headers: NOW }],
  ['503', { status: 503, headers: NOW }],
])('200 after a %s that passes', async (_, fault) => {
  double.fail('chat', fault);
  double.fail('embeddings', fault);
  const { body } = await customer.rest('POST', '/query', asked);
  const events = parseEvents(body);
  expect(deltasOf(events).join('')).toBe('The fox is quick. (fox.txt)');
});

describe('a client that goes away ends the request to the model:', () => {
  /** Nothing else ends a request within a minute. */
  let patient: TestGateway;
  let me: Client;

  beforeAll(async () => {
    patient = await startBeside({ OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY });
    me = createClient(patient, customer.credential);
  });
  afterAll(() => patient.close());

  /** Leaves when the model was asked, or, of a stream, when its first words were read. */
  const leave = async (path: string, body: object, fault: Fault, headers = {}) => {
    double.fail('chat', fault);
    const gone = new AbortController();
    const json = { 'content-type': 'application/json', ...headers };
    const response = me.raw('POST', path, body, { signal: gone.signal, headers: json });
    let read = '';
    const reading = response
      .then(async ({ body }) => {
        const text = body?.pipeThrough(new TextDecoderStream()) ?? [];
        for await (const piece of text) read += piece;
      })
      .catch(() => {});
    await vi.waitFor(() => expect(double.asked('chat')).toHaveLength(1), SOON);
    const isStream = fault === 'silent after words' && !('stream' in body);
    if (isStream) await vi.waitFor(() => expect(read).toContain(FIRST_WORDS), SOON);
    gone.abort();
    await vi.waitFor(() => expect(double.asked('chat')).toMatchObject([{ aborted: true }]), SOON);
    await reading;
  };
  const query =
    'subscription ($question: String!) { askQuestion(input: { datasetId: "docs", question: $question }) { ... on AnswerDelta { delta } } }';

  test.each([
    ['before the first delta', '/v1/query', asked, 'silent', {}],
    ['while it is written', '/v1/query', asked, 'silent after words', {}],
    ['who waits for all of it', '/v1/query', { ...asked, stream: false }, 'silent after words', {}],
    ['over GraphQL', '/graphql', { query, variables: asked }, 'silent after words', SSE],
  ] satisfies [string, string, object, Fault, object][])('%s', (_, path, body, fault, headers) =>
    leave(path, body, fault, headers),
  );

  test('and the one for the embedding of the question', async () => {
    double.fail('embeddings', 'silent', 9);
    const gone = new AbortController();
    const answer = me.raw('POST', '/v1/query', asked, { signal: gone.signal });
    await vi.waitFor(() => expect(double.asked('embeddings')).toHaveLength(1), SOON);
    gone.abort();
    await vi.waitFor(() => expect(double.requests).toMatchObject([{ aborted: true }]), SOON);
    await answer.catch(() => {});
  });
});
