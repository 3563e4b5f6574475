import { headerSecret, httpUrl, type Settings, text, wholeNumber } from './setting.ts';

/** The models. */
export const MODEL_SETTINGS = {
  OPENAI_API_KEY: {
    purpose:
      'key for OpenAI, which then provides answers, embeddings and transcription; offline models if not set',
    schema: headerSecret.optional(),
    secret: true,
  },
  OPENAI_BASE_URL: {
    purpose: "URL of a server that is compatible with OpenAI's API; the key is optional then",
    schema: httpUrl.optional(),
  },
  CHAT_MODEL: {
    purpose:
      'chat model: a name, provider:model, or offline; gpt-4.1-mini if a key or base URL is set, otherwise offline',
    schema: text,
  },
  EMBEDDING_MODEL: {
    purpose:
      'embedding model: a name, or offline; text-embedding-3-small if a key or base URL is set, otherwise offline',
    schema: text,
  },
  TRANSCRIPTION_MODEL: {
    purpose:
      'transcription model for audio and video: a name, or none; whisper-1 if OpenAI itself is used, otherwise none',
    schema: text,
  },
  OCR_MODEL: {
    purpose: 'chat model that reads images and scanned pages: a name, or none; none if not set',
    schema: text,
  },
  OCR_BASE_URL: {
    purpose: 'URL of the server of OCR_MODEL, if it is not that of the other models',
    schema: httpUrl.optional(),
  },
  OCR_API_KEY: {
    purpose: 'key for OCR_BASE_URL, if it needs one',
    schema: headerSecret.optional(),
    secret: true,
  },
  MODEL_TIMEOUT: {
    purpose:
      'seconds before a request to a model times out; for a streamed answer, seconds between two pieces',
    // Node's fetch waits no longer than 300 seconds for the headers of a response.
    schema: wholeNumber('60', 1, 300),
  },
} as const satisfies Settings;
