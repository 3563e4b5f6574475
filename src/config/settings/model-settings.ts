import { httpUrl, type Settings, text, wholeNumber } from './setting.ts';

/** The models, and how long they are waited for. */
export const MODEL_SETTINGS = {
  OPENAI_API_KEY: {
    purpose: 'answers, embeddings and transcription by OpenAI; offline models unless given',
    schema: text,
    secret: true,
  },
  OPENAI_BASE_URL: {
    purpose: "another server that speaks OpenAI's protocol; some need no key",
    schema: httpUrl.optional(),
  },
  CHAT_MODEL: {
    purpose:
      'model that answers, or provider:model, or offline; gpt-4.1-mini with a key, else offline',
    schema: text,
  },
  EMBEDDING_MODEL: {
    purpose: 'model that embeds, or offline; text-embedding-3-small with a key, else offline',
    schema: text,
  },
  TRANSCRIPTION_MODEL: {
    purpose: 'model that hears recordings, or none; whisper-1 of OpenAI itself, else none',
    schema: text,
  },
  MODEL_TIMEOUT: {
    purpose: 'seconds that a model may keep silent',
    // Node's fetch waits no longer for the headers of an answer.
    schema: wholeNumber('60', 1, 300),
  },
} as const satisfies Settings;
