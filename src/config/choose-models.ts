import { ConfigurationError } from '../core/errors.ts';

/** Which models do what; each is chosen for itself. */
export interface ModelChoices {
  answers:
    | { kind: 'offline' }
    | OpenAiChoice
    /** `model` is `provider:model`. */
    | { kind: 'langchain'; model: string };
  embeddings: { kind: 'offline' } | OpenAiChoice;
  transcription: { kind: 'none' } | OpenAiChoice;
  /** Milliseconds that a model may keep silent. */
  timeoutMs: number;
}

/** A model of OpenAI, or of a server that speaks its protocol. */
interface OpenAiChoice {
  kind: 'openai';
  server: Server;
  model: string;
}

interface Server {
  baseUrl: string;
  apiKey: string | undefined;
}

export interface ModelSettings {
  OPENAI_API_KEY?: string | undefined;
  OPENAI_BASE_URL?: string | undefined;
  CHAT_MODEL?: string | undefined;
  EMBEDDING_MODEL?: string | undefined;
  TRANSCRIPTION_MODEL?: string | undefined;
  /** In seconds. */
  MODEL_TIMEOUT: number;
}

/** LangChain's names of those who have a package of their own; any other model is named without one. */
export const PROVIDERS: readonly string[] = [
  ...['anthropic', 'aws', 'azure_openai', 'bedrock', 'cerebras', 'cohere', 'deepseek', 'fireworks'],
  ...['google', 'google-genai', 'google-vertexai', 'google-vertexai-web', 'groq', 'mistralai'],
  ...['ollama', 'perplexity', 'together', 'xai'],
];

const OPENAI = 'https://api.openai.com/v1';

/**
 * Chooses a model for each work. What is not named is OpenAI's when there is a key or a base URL,
 * and offline else.
 *
 * @throws ConfigurationError naming the setting, when a model is named that cannot be reached
 */
export function chooseModels(settings: ModelSettings): ModelChoices {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = settings;
  const server: Server | undefined =
    apiKey || baseUrl ? { apiKey, baseUrl: baseUrl?.replace(/\/+$/, '') ?? OPENAI } : undefined;

  return {
    answers: chooseAnswers(settings.CHAT_MODEL, server),
    embeddings: chooseEmbeddings(settings.EMBEDDING_MODEL, server),
    transcription: chooseTranscription(settings.TRANSCRIPTION_MODEL, server),
    timeoutMs: settings.MODEL_TIMEOUT * 1000,
  };
}

function chooseAnswers(
  name: string | undefined,
  server: Server | undefined,
): ModelChoices['answers'] {
  if (name === 'offline' || (!name && !server)) return { kind: 'offline' };
  if (name && hasProvider(name)) return { kind: 'langchain', model: name };
  return ofServer('CHAT_MODEL', name ?? 'gpt-4.1-mini', server);
}

function chooseEmbeddings(
  name: string | undefined,
  server: Server | undefined,
): ModelChoices['embeddings'] {
  if (name === 'offline' || (!name && !server)) return { kind: 'offline' };
  if (name && hasProvider(name)) {
    throw new ConfigurationError(
      `EMBEDDING_MODEL: ${name}: embeddings come from OpenAI, or from the server of OPENAI_BASE_URL; leave the provider out`,
    );
  }
  return ofServer('EMBEDDING_MODEL', name ?? 'text-embedding-3-small', server);
}

function chooseTranscription(
  name: string | undefined,
  server: Server | undefined,
): ModelChoices['transcription'] {
  // Any server answers, few others than OpenAI's hear.
  if (name === 'none' || (!name && server?.baseUrl !== OPENAI)) return { kind: 'none' };
  return ofServer('TRANSCRIPTION_MODEL', name ?? 'whisper-1', server);
}

function ofServer(setting: string, name: string, server: Server | undefined): OpenAiChoice {
  if (server) return { kind: 'openai', server, model: name.replace(/^openai:/, '') };
  throw new ConfigurationError(`${setting}: ${name} needs OPENAI_API_KEY, or OPENAI_BASE_URL`);
}

function hasProvider(name: string): boolean {
  const [, provider = ''] = /^([^:]+):./.exec(name) ?? [];
  return PROVIDERS.includes(provider);
}
