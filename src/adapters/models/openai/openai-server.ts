import { OpenAI } from 'openai';
import { ConfigurationError } from '../../../core/errors.ts';
import { CHECK_TIMEOUT_MS } from '../idle-timeout.ts';
import { httpFetch } from './http-fetch.ts';

/** Milliseconds for which a successful check of a model is remembered. A check may cost a few tokens. */
export const CHECK_TTL_MS = 60_000;
/** Milliseconds to wait for an answer that is not streamed. Node's fetch has the same limit. */
export const WHOLE_ANSWER_TIMEOUT_MS = 300_000;

/** A server that speaks OpenAI's protocol. */
export interface OpenAiServer {
  /** Ends before `/chat/completions`, with no slash. */
  baseUrl: string;
  /** Undefined for a server that needs no key. */
  apiKey: string | undefined;
  /** The settings that these are from, for messages; those of OpenAI by default. */
  settings?: { baseUrl: string; apiKey: string };
}

/** A model of a server. */
export interface OpenAiOptions {
  server: OpenAiServer;
  model: string;
  /** Milliseconds to wait for the server to answer. */
  timeoutMs: number;
}

/** The options with which LangChain and OpenAI's own client connect to a server. */
export function connectionTo({ apiKey, baseUrl }: OpenAiServer) {
  // Both require a key. Their own log would go to the console.
  return {
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    logLevel: 'off' as const,
    fetch: httpFetch,
  };
}

/**
 * OpenAI's own client. It retries transient failures after the delay in `Retry-After`, and aborts a
 * request that times out.
 */
export function createClient({ server, timeoutMs: timeout }: OpenAiOptions): OpenAI {
  return new OpenAI({ ...connectionTo(server), timeout, maxRetries: 3 });
}

/**
 * The models that a server has; `undefined` when it does not list them.
 *
 * @throws the client's error when the request fails
 */
export async function listModels(client: OpenAI): Promise<string[] | undefined> {
  try {
    const { data } = await client.models.list({
      maxRetries: 0,
      timeout: CHECK_TIMEOUT_MS,
    });
    return Array.isArray(data) ? data.map(({ id }) => id) : undefined;
  } catch (error) {
    if (error instanceof OpenAI.APIError && LIST_UNSUPPORTED.includes(error.status))
      return undefined;
    throw error;
  }
}

/** Adds the names of the server's models to a failure, if this model is not among them. */
export function listAlternatives(error: Error, model: string, models: string[] | undefined): Error {
  if (!models || models.includes(model) || error instanceof ConfigurationError) return error;
  return new Error(`${error.message}. It has: ${models.slice(0, 20).join(', ')}`);
}

const LIST_UNSUPPORTED: (number | undefined)[] = [404, 405, 501];
