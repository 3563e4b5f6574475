import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import { ConfigurationError } from '../../../core/errors.ts';
import type { AnswerModel } from '../../../ports/language-model.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { createChatAnswers } from '../chat-answers.ts';
import { textOf as textOfError } from '../explain-failure.ts';

/** Milliseconds for which a successful check is remembered: each sends a request, which may cost money. */
const CHECK_TTL_MS = 10 * 60_000;

export interface LangChainOptions {
  /** `provider:model`, as LangChain's `initChatModel` expects it. */
  model: string;
  /** Milliseconds to wait for the first piece of an answer, and for each one after it. */
  timeoutMs: number;
}

/**
 * Answers by a chat model of any provider for which LangChain has a package. The package reads its key
 * and its other settings from its own environment variables.
 *
 * @throws ConfigurationError when the package is not installed, or lacks a setting
 */
export async function createLangChainAnswers(options: LangChainOptions): Promise<AnswerModel> {
  const { model, timeoutMs } = options;
  const chat = await load(model);
  const answers = createChatAnswers({
    name: model,
    async *stream(messages, signal) {
      yield* await chat.stream(messages, { signal });
    },
    textOf,
    isFiltered: ({ response_metadata: metadata }) => metadata['finish_reason'] === 'content_filter',
    idleTimeoutMs: timeoutMs,
    explain: (error) => new Error(`CHAT_MODEL: ${model} failed: ${textOfError(error)}`),
  });
  return { ...answers, check: rememberSuccess(answers.check, CHECK_TTL_MS) };
}

/** Most models send plain text in many pieces; LangChain's own `text` handles every kind of content and is slower. */
function textOf(piece: AIMessageChunk): string {
  return typeof piece.content === 'string' ? piece.content : piece.text;
}

async function load(model: string): Promise<Pick<BaseChatModel, 'stream'>> {
  const { initChatModel } = await import('langchain/chat_models/universal');
  try {
    // LangChain retries until the first piece arrives, after the delay in `Retry-After`.
    return await initChatModel(model, { maxRetries: 2 });
  } catch (error) {
    const [, missing] = /Unable to import (\S+)\. /.exec(textOfError(error)) ?? [];
    const reason = missing ? `needs a package: npm install ${missing}` : textOfError(error);
    throw new ConfigurationError(`CHAT_MODEL: ${model}: ${reason}`);
  }
}
