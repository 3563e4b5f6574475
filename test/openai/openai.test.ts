import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SearchHit } from '../../src/core/model.ts';
import { newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

const BASE_URL = 'http://filequery.test/v1';
const LONG = 'The fox is quick, and it hunts at night. ';

let gateway: TestGateway;
let customer: Awaited<ReturnType<typeof newCustomer>>;
let token: string;
let fileId: string;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway, '100');
  const files = { 'andorra.txt': 'The capital of Andorra is Andorra la Vella.' };
  const { body } = await customer.upload('docs', files);
  fileId = body.files[0].fileId;
  await customer.upload('a/b', { 'france.txt': 'The capital of France is Paris.' });
  await customer.upload('filequery', { 'spain.txt': 'The capital of Spain is Madrid.' });
  token = (await gateway.admin.createToken(customer.customerId, 'docs')).token;
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

/** OpenAI's client, which repeats nothing by itself here. */
const openai = (apiKey = customer.apiKey) =>
  new OpenAI({ apiKey, baseURL: BASE_URL, fetch: fetchFromGateway, maxRetries: 0 });

function fetchFromGateway(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  return Promise.resolve(gateway.fetch(new Request(url, init)));
}

const question = { role: 'user', content: 'What is the capital of Andorra?' } as const;
const docs = { model: 'docs', messages: [question] };
const credits = async () => Number((await gateway.admin.showCredits(customer.customerId)).credits);

/** What filequery adds to a completion, and to the last chunk of one. */
interface WithSources {
  sources?: SearchHit[];
}

describe('a whole answer', () => {
  it('has the text, annotations with their places in it, sources, and an estimate of its tokens', async () => {
    const before = await credits();
    const completion = await openai().chat.completions.create({
      ...docs,
      temperature: 0.7,
      seed: 1,
    });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'docs',
      created: expect.closeTo(Date.now() / 1000, -2),
      usage: { prompt_tokens: 8, completion_tokens: expect.any(Number) },
    });
    const [choice] = completion.choices;
    expect(choice).toMatchObject({ index: 0, finish_reason: 'stop' });
    const { content, annotations } = choice?.message ?? {};
    expect(content).toContain('Andorra la Vella');
    expect(annotations).toEqual([
      {
        type: 'url_citation',
        url_citation: {
          start_index: expect.any(Number),
          end_index: expect.any(Number),
          title: 'andorra.txt',
          url: `http://filequery.test/v1/files/${fileId}?datasetId=docs`,
        },
        source: 0,
        supported: true,
      },
    ]);
    const { start_index, end_index } = annotations?.[0]?.url_citation ?? {};
    expect(content?.slice(start_index, end_index)).toContain('Andorra la Vella');
    const { sources } = completion as WithSources;
    expect(sources).toMatchObject([{ pageContent: expect.stringContaining('Andorra la Vella') }]);
    expect(await credits()).toBeCloseTo(before - 0.1);
  });

  it('comes from a dataset with slashes, with the prefix, and from a token by any of its names', async () => {
    const answers = [
      [customer.apiKey, 'a/b', 'France', 'Paris'],
      [customer.apiKey, 'filequery/a/b', 'France', 'Paris'],
      [customer.apiKey, 'filequery/filequery', 'Spain', 'Madrid'],
      [token, 'filequery', 'Andorra', 'Vella'],
      [token, 'docs', 'Andorra', 'Vella'],
      [token, 'filequery/docs', 'Andorra', 'Vella'],
    ] as const;
    for (const [credential, model, country, capital] of answers) {
      const content = `What is the capital of ${country}?`;
      const { choices, model: named } = await openai(credential).chat.completions.create({
        model,
        messages: [{ role: 'user', content }],
      });
      expect(choices[0]?.message.content).toContain(capital);
      expect(named).toBe(model);
    }
  });

  it('follows the messages before, and the instructions of the system', async () => {
    const prompts: unknown[] = [];
    faults.answerWith(async function* (prompt) {
      prompts.push(prompt);
      yield 'Yes.';
    });
    await openai().chat.completions.create({
      model: 'docs',
      messages: [
        { role: 'system', content: 'Answer as a pirate.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'What is the capital of Andorra?' }] },
        { role: 'assistant', content: 'Andorra la Vella, which has a river.' },
        { role: 'user', content: 'How long is it?' },
      ],
    });
    const prompt = JSON.stringify(prompts);
    expect(prompt).toContain('Answer as a pirate.');
    expect(prompt).toContain('Be brief.');
    expect(prompt).toContain('Andorra la Vella, which has a river.');
    expect(prompt).toContain('How long is it?');
  });

  it('of a long chat keeps the newest of its turns', async () => {
    const turns = Array.from({ length: 61 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: at === 60 ? question.content : 'x'.repeat(at === 59 ? 32_001 : 100),
    }));
    const { choices } = await openai().chat.completions.create({ model: 'docs', messages: turns });
    expect(choices[0]?.message.content).toContain('Andorra la Vella');
  });

  it('can be narrowed by filters', async () => {
    const filters = [{ key: 'fileId', match: { value: 'another' } }];
    const completion = await openai().chat.completions.create({ ...docs, filters } as typeof docs);
    expect((completion as WithSources).sources).toEqual([]);
  });

  it('with an idempotency key is paid once', async () => {
    const before = await credits();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const ask = () => openai().chat.completions.create(docs, { headers }).withResponse();
    const [first, second] = [await ask(), await ask()];
    expect(second.response.headers.get('idempotent-replayed')).toBe('true');
    expect(second.data.choices).toEqual(first.data.choices);
    expect(await credits()).toBeCloseTo(before - 0.1);
  });
});

describe('a streamed answer', () => {
  const read = async (options: Partial<OpenAI.ChatCompletionCreateParamsStreaming> = {}) => {
    const stream = await openai().chat.completions.create({ ...docs, ...options, stream: true });
    const chunks: (OpenAI.ChatCompletionChunk & WithSources)[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  const deltasOf = (chunks: OpenAI.ChatCompletionChunk[]) =>
    chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));

  it('is the whole answer in parts, with the annotations, and the sources in the last chunk', async () => {
    const whole = await openai().chat.completions.create(docs);
    const chunks = await read();
    const deltas = deltasOf(chunks);
    expect(deltas[0]).toMatchObject({ role: 'assistant' });
    const text = deltas.map(({ content }) => content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    const annotations = deltas.flatMap((delta) => Object(delta).annotations ?? []);
    expect(annotations).toEqual(whole.choices[0]?.message.annotations);
    const last = chunks.at(-1);
    expect(last?.choices[0]?.finish_reason).toBe('stop');
    expect(last?.sources).toEqual((whole as WithSources).sources);
    expect(chunks.filter(({ choices }) => choices[0]?.finish_reason)).toHaveLength(1);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  it('is put together by the package with every annotation', async () => {
    const [first, second] = [
      'Its capital is Andorra la Vella.',
      ' Andorra la Vella is its capital.',
    ];
    faults.answerWith(async function* () {
      yield* [first, { documents: [1] }, second, { documents: [1] }];
    });
    const message = await openai().chat.completions.stream(docs).finalMessage();
    expect(message).toMatchObject({
      content: `${first}${second}`,
      annotations: [{ url_citation: { start_index: 0 } }, { url_citation: { start_index: 33 } }],
    });
  });

  it('ends with its usage when it is asked for', async () => {
    const chunks = await read({ stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 8, completion_tokens: expect.any(Number) },
    });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('ends with [DONE], and has the headers of an event stream', async () => {
    const body = { ...docs, stream: true };
    const response = await customer.raw('POST', '/v1/chat/completions', body);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-ratelimit-limit')).toBe('1000');
    expect(await response.text()).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  });

  it('is repeated for its idempotency key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { ...docs, stream: true };
    const ask = () => customer.raw('POST', '/v1/chat/completions', body, { headers });
    const texts = [await (await ask()).text(), await (await ask()).text()].map((text) =>
      text.replaceAll(/"(id|created)":[^,]+/g, ''),
    );
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('"source":0');
  });

  it('that fails at once is an error with a status, and costs nothing', async () => {
    const before = await credits();
    faults.answerWith(() => {
      throw new Error('the model is broken, and its key is sk-secret');
    });
    await expect(read()).rejects.toMatchObject({
      status: 500,
      code: 'INTERNAL',
      type: 'server_error',
      message: '500 Internal error',
    });
    expect(await credits()).toBeCloseTo(before);
  });

  it('that fails in the middle throws there', async () => {
    faults.answerWith(async function* () {
      yield LONG;
      throw new Error('broken on purpose');
    });
    const stream = await openai().chat.completions.create({ ...docs, stream: true });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    const all = (async () => {
      for await (const chunk of stream) chunks.push(chunk);
    })();
    await expect(all).rejects.toMatchObject({ code: 'INTERNAL', message: 'Internal error' });
    expect(deltasOf(chunks).map(({ content }) => content)).toEqual(['', LONG]);
  });

  it('that its reader leaves ends the work of the model', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_, signal) {
      signal.addEventListener('abort', () => resolve());
      yield LONG;
      yield LONG;
      await aborted;
    });
    const stream = await openai().chat.completions.create({ ...docs, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content) break;
    await aborted;
  });
});

describe('refuses', () => {
  const ask = async (body: object) => {
    const response = await customer.raw('POST', '/v1/chat/completions', { ...docs, ...body });
    return { status: response.status, ...(await response.json()) };
  };

  it.each<[string, object, string | null, string]>([
    ['more than one answer', { n: 2 }, 'n', 'n must be 1: a question has one answer'],
    ['tools', { tools: [{ type: 'function' }] }, 'tools', 'tools are not supported'],
    ['functions', { functions: [{}] }, 'functions', 'functions are not supported'],
    [
      'answers as JSON',
      { response_format: { type: 'json_object' } },
      'response_format',
      'response_format must be of the type text',
    ],
    ['speech', { modalities: ['text', 'audio'] }, 'modalities', 'modalities must be ["text"]'],
    [
      'modalities that are no list',
      { modalities: { toString: 1 } },
      'modalities',
      'modalities must be ["text"]',
    ],
    ['logprobs', { logprobs: true }, 'logprobs', 'logprobs are not supported'],
    ['a model that is no name', { model: 1 }, 'model', 'model must be a string'],
    ['no model', { model: undefined }, 'model', 'model must name a dataset'],
    ['an empty model', { model: 'filequery/' }, 'model', 'model must name a dataset'],
    ['the model of a token', { model: 'filequery' }, 'model', 'model must name a dataset'],
    ['stream that is no flag', { stream: 'yes' }, 'stream', 'stream must be true or false'],
    ['no messages', { messages: undefined }, 'messages', 'messages must be a list'],
    ['empty messages', { messages: [] }, 'messages', 'the last message must be one of the user'],
    [
      'a blank question',
      { messages: [{ role: 'user', content: ' \n' }] },
      'messages',
      'the last message must have text',
    ],
    [
      'an answer as the last message',
      { messages: [{ role: 'assistant', content: 'Hello.' }] },
      'messages',
      'the last message must be one of the user',
    ],
    [
      'messages that are none',
      { messages: ['Hello.'] },
      'messages',
      'a message must be an object with role and content',
    ],
    [
      'an unknown role',
      { messages: [{ role: '__proto__', content: 'x' }] },
      'messages',
      'role of a message must be system, developer, user or assistant',
    ],
    [
      'results of tools',
      { messages: [{ role: 'tool', content: 'x', tool_call_id: '1' }, question] },
      'messages',
      'messages about tools are not supported',
    ],
    [
      'pictures',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      'messages',
      'messages may have parts of text only: documents are uploaded to the dataset',
    ],
    [
      'long instructions',
      { messages: [{ role: 'system', content: 'x'.repeat(2001) }, question] },
      null,
      'instructions must be at most 2000 characters long',
    ],
  ])('%s', async (_, body, param, message) => {
    expect(await ask(body)).toEqual({
      status: 400,
      error: { message, type: 'invalid_request_error', param, code: 'INVALID_INPUT' },
    });
  });

  it.each([
    ['n', { n: 1 }],
    ['tools', { tools: [] }],
    ['null', { n: null, tools: null, response_format: null, stream: null, stream_options: null }],
    ['text', { response_format: { type: 'text' }, modalities: ['text'], logprobs: false }],
    ['what tunes a model', { temperature: 2, top_p: 0.1, max_tokens: 5, stop: ['x'], user: 'me' }],
  ])('nothing that asks for what is done anyway: %s', async (_, body) => {
    expect(await ask(body)).toMatchObject({ status: 200, choices: [{}] });
  });

  it('a key that is wrong, a dataset of another token, and a question that cannot be paid', async () => {
    const error = (promise: Promise<unknown>) => promise.catch((thrown: unknown) => thrown);
    const create = (key: string, model = 'docs') =>
      error(openai(key).chat.completions.create({ ...docs, model }));
    const wrong = await create('fq_wrong');
    expect(wrong).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(wrong).toMatchObject({ code: 'INVALID_CREDENTIAL', type: 'authentication_error' });
    const other = await create(token, 'a/b');
    expect(other).toBeInstanceOf(OpenAI.BadRequestError);
    expect(other).toMatchObject({ code: 'DATASET_MISMATCH_IN_REQUEST', param: 'model' });
    const poor = await newCustomer(gateway, '0.05');
    expect(await create(poor.apiKey)).toMatchObject({
      status: 402,
      code: 'INSUFFICIENT_CREDITS',
      type: 'insufficient_quota',
      error: { details: { required: 0.1, available: 0.05 } },
      message: expect.stringContaining('please top up'),
    });
  });

  it.each([
    ['{', 'application/json', 400, 'INVALID_JSON'],
    ['[]', 'application/json', 400, 'INVALID_JSON'],
    ['{}', 'text/plain', 415, 'UNSUPPORTED_CONTENT_TYPE'],
    [' '.repeat(1024 ** 2 + 1), 'application/json', 413, 'BODY_TOO_LARGE'],
  ])('a body that cannot be read: %#', async (body, type, status, code) => {
    const headers = { 'content-type': type };
    const response = await customer.raw('POST', '/v1/chat/completions', body, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-error-code')).toBe(code);
    const { error } = await response.json();
    expect(error).toMatchObject({ type: 'invalid_request_error', param: null, code });
  });

  it('other methods, in the same form', async () => {
    const response = await customer.raw('GET', '/v1/chat/completions');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
  });
});

describe('models', () => {
  const list = async (credential?: string) => (await openai(credential).models.list()).data;

  it('are the datasets; a token has its own', async () => {
    const models = await list();
    expect(models.map(({ id }) => id)).toEqual(['a/b', 'docs', 'filequery/filequery']);
    expect(models[0]).toEqual({
      id: 'a/b',
      object: 'model',
      created: expect.closeTo(Date.now() / 1000, -2),
      owned_by: 'filequery',
    });
    expect((await list(token)).map(({ id }) => id)).toEqual(['docs']);
  });

  it('are all listed, however many there are', async () => {
    const many = await newCustomer(gateway);
    const { prisma } = faults.deps;
    const where = { id: many.customerId };
    const { key: customerKey } = await prisma.customer.findUniqueOrThrow({ where });
    await prisma.dataset.createMany({
      data: Array.from({ length: 1001 }, (_, at) => ({
        customerKey,
        id: `d${at}`,
        embeddingModel: 'none',
      })),
    });
    expect(new Set((await list(many.apiKey)).map(({ id }) => id)).size).toBe(1001);
  });

  it('are found by their names', async () => {
    const find = async (credential: string, model: string) =>
      (await openai(credential).models.retrieve(model)).id;
    expect(await find(customer.apiKey, 'a/b')).toBe('a/b');
    expect(await find(customer.apiKey, 'filequery/docs')).toBe('docs');
    expect(await find(token, 'filequery')).toBe('docs');
    for (const [credential, model] of [
      [customer.apiKey, 'nowhere'],
      [customer.apiKey, 'filequery'],
      [token, 'a/b'],
    ] as const) {
      await expect(find(credential, model)).rejects.toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
        param: 'model',
      });
    }
  });
});

describe("LangChain's ChatOpenAI", () => {
  const chat = () =>
    new ChatOpenAI({
      model: 'docs',
      apiKey: customer.apiKey,
      maxRetries: 0,
      configuration: { baseURL: BASE_URL, fetch: fetchFromGateway },
    });

  it('answers a conversation', async () => {
    const { text, usage_metadata: usage } = await chat().invoke([
      new SystemMessage('Be brief.'),
      new HumanMessage('Hello.'),
      new AIMessage('Hello, what would you like to know?'),
      new HumanMessage(question.content),
    ]);
    expect(text).toContain('Andorra la Vella');
    expect(usage?.output_tokens).toBeGreaterThan(0);
  });

  it('streams', async () => {
    const parts: string[] = [];
    let tokens = 0;
    for await (const chunk of await chat().stream(question.content)) {
      parts.push(chunk.text);
      tokens += chunk.usage_metadata?.output_tokens ?? 0;
    }
    expect(parts.join('')).toContain('Andorra la Vella');
    expect(tokens).toBeGreaterThan(0);
  });
});
