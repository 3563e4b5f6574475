import { ConfigurationError } from '../core/errors.ts';

/** The model for each task; they are chosen independently. */
export interface ModelChoices {
  answers:
    | { kind: 'offline' }
    | OpenAiChoice
    /** `model` is `provider:model`. */
    | { kind: 'langchain'; model: string };
  embeddings: { kind: 'offline' } | OpenAiChoice;
  transcription: { kind: 'none' } | OpenAiChoice;
  /** Of text in images. */
  recognition: { kind: 'none' } | OpenAiChoice;
  /** Milliseconds before a request to a model times out. */
  timeoutMs: number;
}

/** A model of OpenAI, or of a compatible server. */
interface OpenAiChoice {
  kind: 'openai';
  server: Server;
  model: string;
}

interface Server {
  baseUrl: string;
  apiKey: string | undefined;
  /** The names of these settings, for messages; `OPENAI_BASE_URL` and `OPENAI_API_KEY` by default. */
  settings?: { baseUrl: string; apiKey: string };
}

export interface ModelSettings {
  OPENAI_API_KEY?: string | undefined;
  OPENAI_BASE_URL?: string | undefined;
  CHAT_MODEL?: string | undefined;
  EMBEDDING_MODEL?: string | undefined;
  TRANSCRIPTION_MODEL?: string | undefined;
  OCR_MODEL?: string | undefined;
  OCR_BASE_URL?: string | undefined;
  OCR_API_KEY?: string | undefined;
  /** In seconds. */
  MODEL_TIMEOUT: number;
}

/** LangChain's names for providers with their own package. A model of any other has no prefix. */
export const PROVIDERS: readonly string[] = [
  ...['anthropic', 'aws', 'azure_openai', 'bedrock', 'cerebras', 'cohere', 'deepseek', 'fireworks'],
  ...['google', 'google-genai', 'google-vertexai', 'google-vertexai-web', 'groq', 'mistralai'],
  ...['ollama', 'perplexity', 'together', 'xai'],
];

const OPENAI = 'https://api.openai.com/v1';

/**
 * Chooses a model for each task. A model that is not set is OpenAI's if there is a key or a base URL,
 * otherwise the offline one.
 *
 * @throws ConfigurationError naming the setting, when a model needs a key or a server that is not set
 */
export function chooseModels(settings: ModelSettings): ModelChoices {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = settings;
  const server = apiKey || baseUrl ? serverAt(baseUrl ?? OPENAI, apiKey) : undefined;

  return {
    answers: chooseAnswers(settings.CHAT_MODEL, server),
    embeddings: chooseEmbeddings(settings.EMBEDDING_MODEL, server),
    transcription: chooseTranscription(settings.TRANSCRIPTION_MODEL, server),
    recognition: chooseRecognition(settings, server),
    timeoutMs: settings.MODEL_TIMEOUT * 1000,
  };
}

function chooseAnswers(
  name: string | undefined,
  server: Server | undefined,
): ModelChoices['answers'] {
  if (name === 'offline' || (!name && !server)) return { kind: 'offline' };
  if (name && hasProvider(name)) return { kind: 'langchain', model: name };
  return onServer('CHAT_MODEL', name ?? 'gpt-4.1-mini', server);
}

function chooseEmbeddings(
  name: string | undefined,
  server: Server | undefined,
): ModelChoices['embeddings'] {
  if (name === 'offline' || (!name && !server)) return { kind: 'offline' };
  if (name && hasProvider(name)) {
    throw new ConfigurationError(
      `EMBEDDING_MODEL: ${name}: embeddings come from OpenAI or from the server at OPENAI_BASE_URL; remove the provider`,
    );
  }
  return onServer('EMBEDDING_MODEL', name ?? 'text-embedding-3-small', server);
}

function chooseTranscription(
  name: string | undefined,
  server: Server | undefined,
): ModelChoices['transcription'] {
  // Few compatible servers can transcribe, so another server's model must be set explicitly.
  if (name === 'none' || (!name && server?.baseUrl !== OPENAI)) return { kind: 'none' };
  return onServer('TRANSCRIPTION_MODEL', name ?? 'whisper-1', server);
}

function chooseRecognition(
  { OCR_MODEL: name, OCR_BASE_URL: baseUrl, OCR_API_KEY: apiKey }: ModelSettings,
  server: Server | undefined,
): ModelChoices['recognition'] {
  if (!name && baseUrl) {
    throw new ConfigurationError('OCR_MODEL: must be set when OCR_BASE_URL is');
  }
  if (apiKey && !baseUrl) {
    throw new ConfigurationError('OCR_BASE_URL: must be set when OCR_API_KEY is');
  }
  // Each page is a request that costs money, and images leave the machine: no model is implied.
  if (!name || name === 'none') return { kind: 'none' };
  if (!baseUrl) return onServer('OCR_MODEL', name, server);
  const settings = { baseUrl: 'OCR_BASE_URL', apiKey: 'OCR_API_KEY' };
  return { kind: 'openai', server: { ...serverAt(baseUrl, apiKey), settings }, model: name };
}

function serverAt(baseUrl: string, apiKey: string | undefined): Server {
  return { apiKey, baseUrl: baseUrl.replace(/\/+$/, '') };
}

function onServer(setting: string, name: string, server: Server | undefined): OpenAiChoice {
  if (server) return { kind: 'openai', server, model: name.replace(/^openai:/, '') };
  throw new ConfigurationError(`${setting}: ${name} needs OPENAI_API_KEY, or OPENAI_BASE_URL`);
}

function hasProvider(name: string): boolean {
  const [, provider = ''] = /^([^:]+):./.exec(name) ?? [];
  return PROVIDERS.includes(provider);
}
