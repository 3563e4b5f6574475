import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { deltasOf, parseEvents } from '../support/events.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';

/* What OpenAI gets to see of a question, by a mock server that is not ours. */

const QUESTION = 'Who is quick?';
const ANSWER = 'The fox is quick, says fox.txt, and nobody else is known to be quick.';
const KEY = 'sk-aimock';

let mock: LLMock;
let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  mock = await LLMock.create({ port: 0, auth: { apiKeys: [KEY] } });
  const server = { OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: KEY };
  gateway = await startBeside({ ...server, CHAT_MODEL: 'gpt-4.1-mini' });
  customer = await newCustomer(gateway, '100');
  const files = { 'fox.txt': 'The fox is quick.', 'dog.md': '# Dogs\n\nThe dog is lazy.' };
  const { status } = await customer.upload('docs', files);
  expect(status).toBe(200);
});
beforeEach(() => {
  mock.clearFixtures();
  mock.clearRequests();
});
afterAll(async () => {
  await gateway.close();
  await mock.stop();
});

const bodies = (path: string) =>
  mock.getRequests().flatMap((request) => (request.path === path ? [request.body] : []));
const ask = (datasetId: string, stream: boolean) =>
  customer.rest('POST', '/query', { datasetId, question: QUESTION, stream });
const credits = async () => Number((await customer.graphql(ViewerDocument)).data.viewer?.credits);

test('the request carries the chunks with number, score, file name, heading and text, then the question', async () => {
  mock.onMessage(/./, { content: ANSWER }, { chunkSize: 7 });
  const { body: found } = await customer.rest('POST', '/search', {
    datasetId: 'docs',
    question: QUESTION,
  });
  expect(found.data).toHaveLength(2);
  mock.clearRequests();

  const { body } = await ask('docs', true);
  const events = parseEvents(body);
  expect(deltasOf(events).join('')).toBe(ANSWER);
  expect(events.at(-1)).toEqual({ done: true });

  const documents = found.data.map(
    ({ score, pageContent, metadata }: (typeof found.data)[0], at: number) =>
      `Document ${at + 1} (score ${score.toFixed(4)}, file ${metadata.originalName}${
        metadata.heading ? `, heading ${metadata.heading}` : ''
      }):\n${pageContent}`,
  );
  const [request, ...others] = bodies('/v1/chat/completions');
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    model: 'gpt-4.1-mini',
    stream: true,
    messages: [
      { role: 'system', content: expect.stringMatching(/Answer only from the context/) },
      {
        role: 'user',
        content: `Context:\n\n${documents.join('\n\n')}\n\nQuestion: ${QUESTION}`,
      },
    ],
  });
  expect(request).toMatchObject({
    messages: [{ content: expect.stringMatching(/say that you do not know\. Never invent/) }, {}],
  });
});

test('no memory is kept: the second request is the first one again', async () => {
  mock.onMessage(/./, { content: ANSWER });
  await ask('docs', false);
  await ask('docs', false);
  const [first, second] = bodies('/v1/chat/completions');
  expect(first).toBeDefined();
  expect(second).toEqual(first);
});

test('of an empty dataset, it says that there is no relevant context', async () => {
  mock.onMessage(/./, { content: 'I do not know.' });
  const { body } = await ask('nothing', false);
  expect(body.data).toEqual({ result: 'I do not know.', sources: [] });
  const [request] = bodies('/v1/chat/completions');
  expect(request).toMatchObject({
    messages: [
      {},
      {
        content: `Context:\n\nThere is no relevant context: no document matches the question.\n\nQuestion: ${QUESTION}`,
      },
    ],
  });
  expect(bodies('/v1/embeddings')).toEqual([]);
});

describe('500 Internal error, and nothing is charged, when the server', () => {
  const refuses = (status: number) => () =>
    mock.onMessage(/./, { error: { message: 'On purpose.' }, status, retryAfter: 0 });

  test.each<[string, () => unknown]>([
    ['refuses the key', refuses(401)],
    ['is asked too often', refuses(429)],
    ['does not know the model', refuses(404)],
    [
      'sends no JSON',
      () => mock.onMessage(/./, { content: ANSWER }, { chaos: { malformedRate: 1 } }),
    ],
  ])('%s', async (_, fail) => {
    const before = await credits();
    for (const stream of [true, false]) {
      fail();
      const { status, body } = await ask('docs', stream);
      expect([status, body]).toEqual([500, { error: 'Internal error' }]);
    }
    expect(await credits()).toBe(before);
  });
});

test('an error event when the server hangs up in the middle: the deltas before it are paid for', async () => {
  const before = await credits();
  mock.onMessage(
    /./,
    { content: ANSWER.repeat(9) },
    { chunkSize: 40, latency: 10, disconnectAfterMs: 60 },
  );
  const { status, body } = await ask('docs', true);
  const events = parseEvents(body);
  expect(status).toBe(200);
  expect(deltasOf(events).length).toBeGreaterThan(0);
  expect(events.at(-1)).toEqual({ error: 'Streaming error on server' });
  expect(await credits()).toBeCloseTo(before - 0.1);
});
