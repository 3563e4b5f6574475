import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

const API = 'http://filequery.test/v1/chat';
const LONG = 'The fox is quick, and it hunts at night. ';

/** A message with the citations of filequery. */
type Message = UIMessage<
  unknown,
  { citation: { start: number; end: number; sourceId: string; supported: boolean } }
>;

let gateway: TestGateway;
let customer: Awaited<ReturnType<typeof newCustomer>>;
let token: string;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway, '100');
  await customer.upload('docs', {
    'andorra.txt': 'The capital of Andorra is Andorra la Vella.',
    'france.txt': 'The capital of France is Paris.',
  });
  token = (await gateway.admin.createToken(customer.customerId, 'docs')).token;
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const user = (text: string): Message => ({
  id: crypto.randomUUID(),
  role: 'user',
  parts: [{ type: 'text', text }],
});
const question = user('What is the capital of Andorra?');
const docs = { datasetId: 'docs' };
const credits = async () => Number((await gateway.admin.showCredits(customer.customerId)).credits);

interface Sent {
  credential?: string;
  body?: object;
  headers?: Record<string, string>;
  abortSignal?: AbortSignal;
}

/** As `useChat` sends messages. */
function send(messages: Message[], sent: Sent = {}): Promise<ReadableStream<UIMessageChunk>> {
  const { credential = customer.apiKey, body = docs, headers, abortSignal } = sent;
  const transport = new DefaultChatTransport<Message>({
    api: API,
    body,
    headers: { authorization: `Bearer ${credential}`, ...headers },
    fetch: async (url, init) => gateway.fetch(new Request(url, init)),
  });
  const trigger = 'submit-message';
  return transport.sendMessages({
    trigger,
    chatId: 'chat',
    messageId: undefined,
    messages,
    abortSignal,
  });
}

/** The message as `useChat` shows it in the end. */
async function ask(messages: Message[], sent?: Sent): Promise<Message> {
  let last: Message | undefined;
  const stream = await send(messages, sent);
  for await (const message of readUIMessageStream<Message>({ stream, terminateOnError: true })) {
    last = message;
  }
  if (!last) throw new Error('no message');
  return last;
}

const textOf = ({ parts }: Message) =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
const sourcesOf = ({ parts }: Message) => parts.filter((part) => part.type === 'source-document');

it('a message has the text, its sources as documents, and its citations', async () => {
  const before = await credits();
  const message = await ask([question]);
  expect(message.role).toBe('assistant');
  expect(textOf(message)).toContain('Andorra la Vella');
  expect(message.parts.find(({ type }) => type === 'text')).toMatchObject({ state: 'done' });
  const [source] = sourcesOf(message);
  expect(source).toMatchObject({
    sourceId: 'source-0',
    mediaType: 'text/plain',
    title: 'andorra.txt',
    filename: 'andorra.txt',
    providerMetadata: {
      filequery: {
        score: expect.any(Number),
        pageContent: expect.stringContaining('Andorra la Vella'),
        metadata: docs,
      },
    },
  });
  const citations = message.parts.filter((part) => part.type === 'data-citation');
  expect(citations).toHaveLength(1);
  const { start, end, ...cited } = citations[0]?.data ?? {};
  expect(textOf(message).slice(start, end)).toContain('Andorra la Vella');
  expect(cited).toEqual({ sourceId: 'source-0', supported: true });
  expect(await credits()).toBeCloseTo(before - 0.1);
});

it('a token has its own dataset', async () => {
  expect(textOf(await ask([question], { credential: token, body: {} }))).toContain('Vella');
});

it('a message can be sent again with the next question, and is its history', async () => {
  const prompts: string[] = [];
  const first = await ask([question]);
  faults.answerWith(async function* (prompt) {
    prompts.push(prompt.instructions, prompt.message);
    yield 'Yes.';
  });
  const system = { ...user('Answer as a pirate.'), role: 'system' as const };
  // As the answer of another model in the same chat may have.
  first.parts.push({ type: 'file', url: 'data:,', mediaType: 'image/png' });
  await ask([system, question, first, user('And how large is it?')]);
  const prompt = prompts.join('\n');
  expect(prompt).toContain(JSON.stringify(textOf(first)));
  expect(prompt).toContain('Answer as a pirate.');
  expect(prompt).toContain('And how large is it?');
});

it('filters, instructions and language come with the body', async () => {
  const prompts: string[] = [];
  faults.answerWith(async function* (prompt) {
    prompts.push(prompt.instructions, prompt.message);
    yield 'Ja.';
  });
  const filters = [{ key: 'originalName', match: { value: 'france.txt' } }];
  const body = { ...docs, filters, instructions: 'Be brief.', language: 'de' };
  const message = await ask([question], { body });
  expect(sourcesOf(message).map(({ title }) => title)).toEqual(['france.txt']);
  expect(prompts.join('\n')).toContain('Be brief.');
  expect(prompts.join('\n')).toContain('German');
});

it('the stream says which protocol it is, and ends with [DONE]', async () => {
  const response = await customer.raw('POST', '/v1/chat', { ...docs, messages: [question] });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'x-vercel-ai-ui-message-stream': 'v1',
    'cache-control': 'no-cache',
    'x-ratelimit-limit': '1000',
  });
  const text = await response.text();
  expect(text).toMatch(/^data: \{"type":"start"/);
  expect(text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
});

it('an idempotency key is paid once', async () => {
  const before = await credits();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const [first, second] = [await ask([question], { headers }), await ask([question], { headers })];
  expect(second.parts).toEqual(first.parts);
  expect(await credits()).toBeCloseTo(before - 0.1);
});

describe('fails', () => {
  it('with the error of REST before the answer begins, which costs nothing', async () => {
    const before = await credits();
    faults.answerWith(() => {
      throw new Error('the model is broken, and its key is sk-secret');
    });
    await expect(ask([question])).rejects.toThrow('{"error":"Internal error"}');
    expect(await credits()).toBeCloseTo(before);
  });

  it('with an error part in the middle', async () => {
    faults.answerWith(async function* () {
      yield LONG;
      throw new Error('broken on purpose');
    });
    await expect(ask([question])).rejects.toThrow('Internal error');
  });

  it('and stops the model when the user stops it', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_, signal) {
      signal.addEventListener('abort', () => resolve());
      yield LONG;
      yield LONG;
      await aborted;
    });
    const stop = new AbortController();
    const reader = (await send([question], { abortSignal: stop.signal })).getReader();
    await reader.read();
    stop.abort();
    await reader.cancel().catch(() => {});
    await aborted;
  });

  it.each<[string, object, string, number]>([
    ['no messages', { messages: undefined }, 'messages must be a list', 400],
    ['messages that are none', { messages: [null] }, 'role of a message must be', 400],
    ['messages without parts', { messages: [{ role: 'user', content: 'x' }] }, 'parts of', 400],
    [
      'text that is none',
      { messages: [{ role: 'user', parts: [{ type: 'text' }] }] },
      'text of',
      400,
    ],
    [
      'an answer as the last message',
      { messages: [{ role: 'assistant', parts: [] }] },
      'the last',
      400,
    ],
    [
      'files in messages',
      { messages: [{ role: 'user', parts: [{ type: 'file', url: 'data:,', mediaType: 'x' }] }] },
      'messages may have no files',
      400,
    ],
    ['long instructions', { instructions: 'x'.repeat(2001) }, 'instructions must be at most', 400],
    ['an unknown language', { language: 'xx-klingon' }, 'language must be', 400],
    ['no dataset', { datasetId: undefined }, 'datasetId and question are required', 400],
    ['a blank question', { messages: [user(' ')] }, 'the last message must have text', 400],
  ])('for %s', async (_, body, error, status) => {
    const sent = { ...docs, messages: [question], ...body };
    const response = await customer.raw('POST', '/v1/chat', sent);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(`^${error}`) });
  });

  it('for a key that is wrong, and for the dataset of another', async () => {
    await expect(ask([question], { credential: 'fq_wrong' })).rejects.toThrow('Invalid API key');
    const body = { datasetId: 'other' };
    await expect(ask([question], { credential: token, body })).rejects.toThrow('mismatch');
  });
});
