import { OpenAI } from 'openai';
import { ConfigurationError } from '../../core/errors.ts';
import { firstLine } from '../../core/reason-of.ts';
import type { OpenAiServer } from './openai/openai-server.ts';

/** The model that failed, its server, and the setting that names it. */
export interface FailedModel {
  server: OpenAiServer;
  model: string;
  setting: 'CHAT_MODEL' | 'EMBEDDING_MODEL' | 'TRANSCRIPTION_MODEL' | 'OCR_MODEL';
}

/**
 * Describes why a model failed, in one line that names the setting to correct. It never contains the
 * key, and only the message of the original error, because the rest may contain whole requests.
 */
export function explainFailure(error: unknown, failed: FailedModel): Error {
  if (error instanceof ConfigurationError) return error;
  const { apiKey } = failed.server;
  const reason = describe(error as UpstreamError, failed);
  return new Error(apiKey ? reason.replaceAll(apiKey, '[the key]') : reason);
}

/** The first line of an error's message, or of its cause's. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return textOf(cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  // Node says `aborted` or `socket hang up`.
  if (code === 'ECONNRESET') return 'the connection was closed';
  return firstLine(error.message) || code;
}

/** Errors from OpenAI's client and LangChain have some of these fields. */
interface UpstreamError extends Error {
  status?: number;
  code?: string | null;
  requestID?: string | null;
}

const OPENAI_SETTINGS = { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY' };

function describe(
  error: UpstreamError,
  { server: { baseUrl, settings = OPENAI_SETTINGS }, model, setting }: FailedModel,
): string {
  const { status, code, requestID } = error;
  const text = requestID ? `${textOf(error)} (request ${requestID})` : textOf(error);
  const subject = `${setting}: ${model} at ${baseUrl}`;
  if (error instanceof OpenAI.APIConnectionTimeoutError)
    return `${subject} failed: it did not answer in time`;
  if (status === undefined) {
    return error instanceof OpenAI.APIConnectionError
      ? `${settings.baseUrl}: ${baseUrl} cannot be reached: ${text}; start it, or correct the address`
      : `${subject} failed: ${text}`;
  }
  if (status === 401 || status === 403) {
    return `${settings.apiKey}: ${baseUrl} rejects it: ${text}; use a key of that server`;
  }
  if (code === 'insufficient_quota') {
    return `${settings.apiKey}: its quota is used up: ${text}; raise it, or use another key`;
  }
  if (status === 404) {
    return `${subject} does not exist (or ${settings.baseUrl} lacks its path, often /v1): ${text}; use a model that does`;
  }
  return `${subject} failed: ${text}`;
}
