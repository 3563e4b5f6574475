import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import { ConfigurationError } from '../../../core/errors.ts';
import type { AnswerModel } from '../../../ports/language-model.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { createChatAnswers } from '../chat-answers.ts';
import { textOf as textOfError } from '../explain-failure.ts';

/** Milliseconds that a check which passed is good for: each asks the model, which may cost. */
const GOOD_FOR = 10 * 60_000;

export interface LangChainOptions {
  /** `provider:model`, as LangChain's `initChatModel` takes it. */
  model: string;
  /** Milliseconds that the model may keep silent. */
  patience: number;
}

/**
 * Answers by a chat model of any provider that LangChain has a package for. The package finds its
 * key, and what else it needs, in variables of its own.
 *
 * @throws ConfigurationError when the package is not installed, or lacks something
 */
export async function createLangChainAnswers(options: LangChainOptions): Promise<AnswerModel> {
  const { model, patience } = options;
  const chat = await load(model);
  const answers = createChatAnswers({
    name: model,
    async *ask(messages, signal) {
      yield* await chat.stream(messages, { signal });
    },
    textOf,
    patience,
    explain: (error) => new Error(`CHAT_MODEL: ${model} failed: ${textOfError(error)}`),
  });
  return { ...answers, check: rememberSuccess(answers.check, GOOD_FOR) };
}

/** Most models send plain text, and a lot of pieces: LangChain's own `text` sorts out every kind of content first. */
function textOf(piece: AIMessageChunk): string {
  return typeof piece.content === 'string' ? piece.content : piece.text;
}

async function load(model: string): Promise<Pick<BaseChatModel, 'stream'>> {
  const { initChatModel } = await import('langchain/chat_models/universal');
  try {
    // LangChain tries again before the first piece, after the pause that `Retry-After` asks for.
    return await initChatModel(model, { maxRetries: 2 });
  } catch (error) {
    const [, missing] = /Unable to import (\S+)\. /.exec(textOfError(error)) ?? [];
    const cure = missing ? `needs a package: npm install ${missing}` : textOfError(error);
    throw new ConfigurationError(`CHAT_MODEL: ${model}: ${cure}`);
  }
}
