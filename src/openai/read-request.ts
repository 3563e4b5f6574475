import type { Call } from '../core/call.ts';
import { invalidInput } from '../core/errors.ts';
import { estimateTokens } from '../core/token-estimate.ts';
import { type Conversation, readConversation } from '../http/conversation.ts';
import { datasetFor, OWN_DATASET } from './model-name.ts';
import { readMessages } from './read-messages.ts';

export interface ChatRequest {
  /** As the client names it. */
  model: string;
  asked: Conversation & {
    datasetId: string;
    filters: unknown;
    language: unknown;
  };
  stream: boolean;
  includeUsage: boolean;
  /** The approximate number of tokens in the messages. */
  promptTokens: number;
}

/**
 * Reads a chat completion request. Parameters that only tune a model are ignored.
 *
 * @throws AppError INVALID_INPUT for what is invalid or not supported
 */
export function readRequest(body: Record<string, unknown>, call: Call): ChatRequest {
  for (const [param, { isWrong, reason }] of Object.entries(UNSUPPORTED)) {
    const value = body[param];
    if (value !== undefined && value !== null && isWrong(value)) invalidInput(reason, param);
  }
  const { model, filters, language } = body;
  const datasetId = datasetFor(call, model) ?? invalidInput('model must name a dataset', 'model');
  const messages = readMessages(body['messages']);
  return {
    model: typeof model === 'string' ? model : OWN_DATASET,
    asked: { ...readConversation(messages), datasetId, filters, language },
    stream: readFlag(body['stream'], 'stream'),
    includeUsage: readIncludeUsage(body['stream_options']),
    promptTokens: messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
  };
}

interface Unsupported {
  isWrong: (value: unknown) => boolean;
  reason: string;
}

/** Parameters that would change the form of the answer, or its author. */
const UNSUPPORTED: Record<string, Unsupported> = {
  n: { isWrong: (n) => n !== 1, reason: 'n must be 1: a question has one answer' },
  tools: { isWrong: isFilled, reason: 'tools are not supported' },
  functions: { isWrong: isFilled, reason: 'functions are not supported' },
  response_format: {
    isWrong: (format) => (format as { type?: unknown }).type !== 'text',
    reason: 'response_format must be of the type text',
  },
  modalities: {
    isWrong: (modalities) =>
      !Array.isArray(modalities) || modalities.length !== 1 || modalities[0] !== 'text',
    reason: 'modalities must be ["text"]',
  },
  audio: { isWrong: () => true, reason: 'audio is not supported' },
  logprobs: { isWrong: (logprobs) => logprobs !== false, reason: 'logprobs are not supported' },
  web_search_options: {
    isWrong: () => true,
    reason: 'web_search_options is not supported: answers come from the files of the dataset',
  },
};

function isFilled(list: unknown): boolean {
  return !Array.isArray(list) || list.length > 0;
}

function readIncludeUsage(options: unknown): boolean {
  if (options === undefined || options === null) return false;
  if (typeof options !== 'object') {
    return invalidInput('stream_options must be an object', 'stream_options');
  }
  return readFlag((options as Record<string, unknown>)['include_usage'], 'include_usage');
}

function readFlag(value: unknown, name: string): boolean {
  if (typeof (value ?? false) === 'boolean') return value === true;
  return invalidInput(`${name} must be true or false`, name);
}
