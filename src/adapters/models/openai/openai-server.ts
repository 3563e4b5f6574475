import { OpenAI } from 'openai';
import { ConfigurationError } from '../../../core/errors.ts';
import { CHECK_MS } from '../silence.ts';

/** A server that speaks OpenAI's protocol. */
export interface OpenAiServer {
  /** Ends before `/chat/completions`, with no slash. */
  baseUrl: string;
  /** None for a server that asks for none. */
  apiKey: string | undefined;
}

/** A model of a server. */
export interface OpenAiOptions {
  server: OpenAiServer;
  model: string;
  /** Milliseconds that the server may keep silent. */
  patience: number;
}

/** What LangChain and OpenAI's own client need to know of a server. */
export function connectionTo({ apiKey, baseUrl }: OpenAiServer) {
  // Both insist on a key. Their own log would go to the console.
  return { apiKey: apiKey ?? 'none', baseURL: baseUrl, logLevel: 'off' as const };
}

/**
 * OpenAI's own client: it tries again what failed in passing, after the pause that `Retry-After`
 * asks for, and gives a request up whose answer is not there in time.
 */
export function createClient({ server, patience: timeout }: OpenAiOptions): OpenAI {
  return new OpenAI({ ...connectionTo(server), timeout, maxRetries: 3 });
}

/**
 * The models that a server has; `undefined` when it keeps no list.
 *
 * @throws Error of the client, when the server cannot be asked
 */
export async function listModels(client: OpenAI): Promise<string[] | undefined> {
  const once = { maxRetries: 0, timeout: CHECK_MS };
  try {
    const { data } = await client.models.list(once);
    return Array.isArray(data) ? data.map(({ id }) => id) : undefined;
  } catch (error) {
    if (error instanceof OpenAI.APIError && NO_LIST.includes(error.status)) return undefined;
    throw error;
  }
}

/** A failure of a model: with those that the server has, if this one is not among them. */
export function nameChoice(error: Error, model: string, models: string[] | undefined): Error {
  if (!models || models.includes(model) || error instanceof ConfigurationError) return error;
  return new Error(`${error.message}. It has: ${models.slice(0, 20).join(', ')}`);
}

const NO_LIST: (number | undefined)[] = [404, 405, 501];
