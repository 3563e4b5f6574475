import { expect, test } from 'vitest';
import { chooseModels, type ModelSettings } from '../src/config/choose-models.ts';
import { ConfigurationError } from '../src/core/errors.ts';

const OPENAI = { baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-1' };
const LOCAL = { baseUrl: 'http://localhost:11434/v1', apiKey: undefined };
const key = { OPENAI_API_KEY: 'sk-1' };
const local = { OPENAI_BASE_URL: 'http://localhost:11434/v1/' };
const offline = { kind: 'offline' };
const openai = (model: string, server: object = OPENAI) => ({ kind: 'openai', server, model });

const choose = (settings: Partial<ModelSettings>) => {
  const {
    timeoutMs: _,
    recognition: __,
    ...choices
  } = chooseModels({ MODEL_TIMEOUT: 60, ...settings });
  return choices;
};

test.each([
  ['nothing', {}, offline, offline, { kind: 'none' }],
  ['a key', key, openai('gpt-4.1-mini'), openai('text-embedding-3-small'), openai('whisper-1')],
  [
    'a base URL alone',
    { ...local, CHAT_MODEL: 'llama3.2:3b', EMBEDDING_MODEL: 'nomic-embed-text' },
    openai('llama3.2:3b', LOCAL),
    openai('nomic-embed-text', LOCAL),
    { kind: 'none' },
  ],
  [
    'a provider of answers alone',
    { CHAT_MODEL: 'ollama:llama3' },
    { kind: 'langchain', model: 'ollama:llama3' },
    offline,
    { kind: 'none' },
  ],
  [
    'a provider of answers, and a key',
    { ...key, CHAT_MODEL: 'anthropic:claude-opus-4-1', TRANSCRIPTION_MODEL: 'none' },
    { kind: 'langchain', model: 'anthropic:claude-opus-4-1' },
    openai('text-embedding-3-small'),
    { kind: 'none' },
  ],
  [
    'a server that does not embed',
    { ...key, EMBEDDING_MODEL: 'offline', TRANSCRIPTION_MODEL: 'gpt-4o-transcribe' },
    openai('gpt-4.1-mini'),
    offline,
    openai('gpt-4o-transcribe'),
  ],
  [
    'names that only look like providers',
    { ...local, CHAT_MODEL: 'mistral:7b', EMBEDDING_MODEL: 'openai:bge-m3' },
    openai('mistral:7b', LOCAL),
    openai('bge-m3', LOCAL),
    { kind: 'none' },
  ],
])('%s', (_, settings, answers, embeddings, transcription) => {
  expect(choose(settings)).toStrictEqual({ answers, embeddings, transcription });
});

test('no model reads images unless one is named, on the same server or on one of its own', () => {
  const recognitionOf = (settings: Partial<ModelSettings>) =>
    chooseModels({ MODEL_TIMEOUT: 60, ...settings }).recognition;
  expect(recognitionOf(key)).toEqual({ kind: 'none' });
  expect(recognitionOf({ ...key, OCR_MODEL: 'none' })).toEqual({ kind: 'none' });
  expect(recognitionOf({ ...key, OCR_MODEL: 'gpt-4.1' })).toEqual(openai('gpt-4.1'));
  const own = { OCR_MODEL: 'qwen2.5vl:7b', OCR_BASE_URL: 'http://localhost:8000/v1/' };
  expect(recognitionOf({ ...key, ...own })).toMatchObject(
    openai('qwen2.5vl:7b', { baseUrl: 'http://localhost:8000/v1', apiKey: undefined }),
  );
});

test.each([
  [{ OCR_MODEL: 'gpt-4o' }, 'OCR_MODEL: gpt-4o needs OPENAI_API_KEY, or OPENAI_BASE_URL'],
  [{ OCR_BASE_URL: 'http://localhost/v1' }, 'OCR_MODEL: must be set when OCR_BASE_URL is'],
  [{ OCR_MODEL: 'x', OCR_API_KEY: 'y' }, 'OCR_BASE_URL: must be set when OCR_API_KEY is'],
  [{ CHAT_MODEL: 'gpt-4o' }, 'CHAT_MODEL: gpt-4o needs OPENAI_API_KEY, or OPENAI_BASE_URL'],
  [
    { EMBEDDING_MODEL: 'bge-m3' },
    'EMBEDDING_MODEL: bge-m3 needs OPENAI_API_KEY, or OPENAI_BASE_URL',
  ],
  [
    { TRANSCRIPTION_MODEL: 'whisper-1' },
    'TRANSCRIPTION_MODEL: whisper-1 needs OPENAI_API_KEY, or OPENAI_BASE_URL',
  ],
  [
    { ...key, EMBEDDING_MODEL: 'ollama:bge-m3' },
    'EMBEDDING_MODEL: ollama:bge-m3: embeddings come from OpenAI or from the server at OPENAI_BASE_URL; remove the provider',
  ],
])('%j is one line that says what is missing', (settings, message) => {
  expect(() => choose(settings)).toThrow(new ConfigurationError(message));
});
