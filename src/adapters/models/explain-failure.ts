import { OpenAI } from 'openai';
import { ConfigurationError } from '../../core/errors.ts';
import { firstLine } from '../../core/reason-of.ts';
import type { OpenAiServer } from './openai/openai-server.ts';

/** What failed: a model of a server, and the setting that names it. */
export interface Culprit {
  server: OpenAiServer;
  model: string;
  setting: 'CHAT_MODEL' | 'EMBEDDING_MODEL' | 'TRANSCRIPTION_MODEL';
}

/**
 * Why a model failed, in one line for the operator that names the setting to mend, and how. It never holds
 * the key, and nothing of the original error but its text: that may hold whole requests.
 */
export function explainFailure(error: unknown, culprit: Culprit): Error {
  if (error instanceof ConfigurationError) return error;
  const { apiKey } = culprit.server;
  const reason = describe(error as UpstreamError, culprit);
  return new Error(apiKey ? reason.replaceAll(apiKey, '[the key]') : reason);
}

/** The first line of an error's text, or of what caused it. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return textOf(cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return firstLine(error.message) || code;
}

/** What OpenAI's client and LangChain throw has some of these. */
interface UpstreamError extends Error {
  status?: number;
  code?: string | null;
  requestID?: string | null;
}

function describe(error: UpstreamError, { server: { baseUrl }, model, setting }: Culprit): string {
  const { status, code, requestID } = error;
  const text = requestID ? `${textOf(error)} (request ${requestID})` : textOf(error);
  const ours = `${setting}: ${model} at ${baseUrl}`;
  if (error instanceof OpenAI.APIConnectionTimeoutError) return `${ours} failed: it kept silent`;
  if (status === undefined) {
    return error instanceof OpenAI.APIConnectionError
      ? `OPENAI_BASE_URL: ${baseUrl} cannot be reached: ${text}; start it, or correct the address`
      : `${ours} failed: ${text}`;
  }
  if (status === 401 || status === 403) {
    return `OPENAI_API_KEY: ${baseUrl} refuses it: ${text}; take a key of that server`;
  }
  if (code === 'insufficient_quota') {
    return `OPENAI_API_KEY: its quota is used up: ${text}; raise it, or take another key`;
  }
  if (status === 404) {
    return `${ours} is not there (or OPENAI_BASE_URL lacks its path, often /v1): ${text}; take a model that is`;
  }
  return `${ours} failed: ${text}`;
}
