import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFilequery } from '../support/filequery.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { failingStart } from '../support/listening.ts';
import { KEY, type OpenAiDouble, startOpenAiDouble } from '../support/openai-double.ts';

/* What the operator is told of models that are set up wrong. The adapters' own tests have every case. */

let gateway: TestGateway;
let double: OpenAiDouble;

beforeAll(async () => {
  double = await startOpenAiDouble();
  gateway = await shareGateway();
});
afterAll(async () => {
  await gateway.close();
  await double.close();
});

const doctor = async (settings: Record<string, string>) => {
  const server = { OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY };
  return createFilequery(gateway.dataDir, { ...gateway.settings, ...server, ...settings }).run(
    'doctor',
  );
};

describe.concurrent('filequery doctor', () => {
  it.each<[what: string, settings: Record<string, string>, lines: RegExp[]]>([
    [
      'a wrong key',
      { OPENAI_API_KEY: 'hidden-wrong-key', TRANSCRIPTION_MODEL: 'whisper-1' },
      ['answers', 'embeddings', 'transcription'].map(
        (part) =>
          new RegExp(
            `^${part} FAILS: OPENAI_API_KEY: http:\\S+ rejects it: 401 .*; use a key of that server$`,
            'm',
          ),
      ),
    ],
    [
      'wrong names of models',
      { CHAT_MODEL: 'gpt-0', EMBEDDING_MODEL: 'embed-0', TRANSCRIPTION_MODEL: 'ear-0' },
      [
        /^answers FAILS: CHAT_MODEL: gpt-0 at .* does not exist .*; use a model that does\. It has: gpt-4\.1-mini/m,
        /^embeddings FAILS: EMBEDDING_MODEL: embed-0 at .* does not exist .*\. It has: .*text-embedding-3-small/m,
        /^transcription FAILS: TRANSCRIPTION_MODEL: ear-0 at .* does not exist.*\. It has: .*whisper-1/m,
      ],
    ],
    [
      'a base URL where nothing is',
      { OPENAI_BASE_URL: 'http://127.0.0.1:65535/v1' },
      [
        /^answers FAILS: OPENAI_BASE_URL: \S+ cannot be reached: connect ECONNREFUSED .*; start it, or correct the address$/m,
        /^embeddings FAILS: OPENAI_BASE_URL: /m,
      ],
    ],
  ])('names %s and the cure, ends with 1, and tells no secret', async (_, settings, lines) => {
    const { code, stdout, stderr } = await doctor(settings);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    for (const line of lines) expect(stdout).toMatch(line);
    expect(stdout).not.toMatch(/hidden|sk-double/);
  });

  it('is content with models that answer', async () => {
    const { code, stdout } = await doctor({ TRANSCRIPTION_MODEL: 'whisper-1' });
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'Everything answers.',
    });
    expect(stdout).toContain('transcription: openai, whisper-1');
  });
});

describe('a start is refused with one line for', () => {
  const start = (settings: Record<string, string>) =>
    failingStart({ OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY, ...settings });

  it('a provider whose package is not installed', async () => {
    expect(await start({ CHAT_MODEL: 'anthropic:claude-opus-4-1' })).toBe(
      'ConfigurationError: CHAT_MODEL: anthropic:claude-opus-4-1: needs a package: npm install @langchain/anthropic',
    );
  });

  it('an embedding model whose vectors are too long', async () => {
    const large = await startOpenAiDouble({ models: null, dimensions: 4096 });
    expect(await start({ OPENAI_BASE_URL: large.url, EMBEDDING_MODEL: 'large' })).toBe(
      'ConfigurationError: EMBEDDING_MODEL: large makes vectors of 4096 dimensions; at most 1536 can be stored',
    );
    await large.close();
  });
});
