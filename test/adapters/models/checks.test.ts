import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOpenAiAnswers } from '../../../src/adapters/models/openai/openai-answers.ts';
import { createOpenAiEmbeddings } from '../../../src/adapters/models/openai/openai-embeddings.ts';
import type { OpenAiOptions } from '../../../src/adapters/models/openai/openai-server.ts';
import { KEY, type OpenAiDouble, startOpenAiDouble } from '../../support/openai-double.ts';

/** Each with a model of its own, and the setting that names it. */
const WORKS = [
  ['answers', createOpenAiAnswers, 'gpt-4.1-mini', 'CHAT_MODEL'],
  ['embeddings', createOpenAiEmbeddings, 'text-embedding-3-small', 'EMBEDDING_MODEL'],
] as const;

let double: OpenAiDouble;

beforeAll(async () => {
  double = await startOpenAiDouble();
});
afterEach(() => double.mend());
afterAll(() => double.close());

describe.each(WORKS)('the check of %s', (_, create, model, setting) => {
  const make = (different: Partial<OpenAiOptions> & { baseUrl?: string; apiKey?: string } = {}) => {
    const { baseUrl = double.url, apiKey = KEY, ...options } = different;
    return create({ server: { baseUrl, apiKey }, model, timeoutMs: 1000, ...options });
  };
  const reason = (different: Parameters<typeof make>[0]) =>
    make(different)
      .check()
      .then(
        () => 'none',
        ({ message }: Error) => message,
      );

  test('passes when the model answers', async () => {
    await make().check();
  });

  test('is made once for many who ask, and passes for a minute', async () => {
    const { check } = make();
    await Promise.all([check(), check(), check()]);
    const { length } = double.requests;
    await check();
    expect(double.requests).toHaveLength(length);

    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 61_000);
    await check();
    vi.restoreAllMocks();
    expect(double.requests.length).toBeGreaterThan(length);
  });

  test('that failed is made again', async () => {
    const { check } = make();
    double.behave({ key: 'sk-another' });
    await expect(check()).rejects.toThrow('OPENAI_API_KEY');
    double.mend();
    await check();
  });

  test('names a wrong key, and does not show it', async () => {
    expect(await reason({ apiKey: 'sk-wrong' })).toMatch(
      /^OPENAI_API_KEY: http:\S+ rejects it: 401 Incorrect API key provided: \[the key\]/,
    );
  });

  test('names a model that does not exist', async () => {
    expect(await reason({ model: 'gpt-0' })).toMatch(
      new RegExp(
        `^${setting}: gpt-0 at http:\\S+ does not exist .*The model .gpt-0. does not exist.*; use a model that does\\. It has: gpt-4\\.1-mini, text-embedding-3`,
      ),
    );
  });

  test('names a base URL without its path', async () => {
    expect(await reason({ baseUrl: double.url.replace('/v1', '') })).toMatch(
      /does not exist \(or OPENAI_BASE_URL lacks its path, often \/v1\): 404 /,
    );
  });

  test('names a server that cannot be reached', async () => {
    const gone = await startOpenAiDouble();
    await gone.close();
    expect(await reason({ baseUrl: gone.url })).toMatch(
      /^OPENAI_BASE_URL: http:\S+ cannot be reached: connect ECONNREFUSED /,
    );
    expect(await reason({ baseUrl: 'http://no-such-host.invalid/v1' })).toMatch(
      /^OPENAI_BASE_URL: .* cannot be reached: getaddrinfo /,
    );
  });

  test('needs no key where none is asked for', async () => {
    double.behave({ key: null });
    await create({
      server: { baseUrl: double.url, apiKey: undefined },
      model,
      timeoutMs: 1000,
    }).check();
  });
});

describe('the check of answers', () => {
  const make = (model = 'gpt-4.1-mini') =>
    createOpenAiAnswers({ server: { baseUrl: double.url, apiKey: KEY }, model, timeoutMs: 1000 });

  test('asks the model once, and then only for the list of models', async () => {
    const { check } = make();
    const now = performance.now();
    for (const minute of [0, 1, 2, 3]) {
      vi.spyOn(performance, 'now').mockReturnValue(now + minute * 61_000);
      await check();
    }
    vi.restoreAllMocks();
    expect(double.asked('chat')).toHaveLength(1);
    expect(double.asked('models')).toHaveLength(4);
  });

  test('does without a list', async () => {
    double.behave({ models: null });
    await make('any').check();
    expect(double.asked('chat')).toHaveLength(1);
  });
});
