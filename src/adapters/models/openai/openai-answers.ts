import { ChatOpenAI } from '@langchain/openai';
import type { AnswerModel } from '../../../ports/language-model.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { createChatAnswers } from '../chat-answers.ts';
import { explainFailure } from '../explain-failure.ts';
import {
  connectionTo,
  createClient,
  listModels,
  nameChoice,
  type OpenAiOptions,
} from './openai-server.ts';

/** Milliseconds that a check which passed is good for. */
const GOOD_FOR = 60_000;

/** Answers by a chat model of OpenAI, or of a server that speaks its protocol, through LangChain. */
export function createOpenAiAnswers(options: OpenAiOptions): AnswerModel {
  const { server, model, patience } = options;
  const explain = (error: unknown) =>
    explainFailure(error, { server, model, setting: 'CHAT_MODEL' });
  const client = createClient(options);
  const chat = new ChatOpenAI({
    model,
    // OpenAI's client tries again, before the first piece only, after the pause that `Retry-After`
    // asks for. LangChain would not after a 429 without one, nor heed one of a 503.
    configuration: { ...connectionTo(server), maxRetries: 2 },
    maxRetries: 0,
    // Some servers do not know the option, and nobody here reads the usage.
    streamUsage: false,
  });
  const answers = createChatAnswers({
    name: model,
    // `stream` would trace and merge the pieces too, in a third more time.
    ask: (messages, signal) => chat._streamResponseChunks(messages, { signal }),
    textOf: ({ text }) => text,
    patience,
    // Chat completions tell it by the first, the Responses API, which some models need, by the second.
    isLast: ({ generationInfo, message }) =>
      Boolean(generationInfo?.['finish_reason']) || 'status' in message.response_metadata,
    explain,
  });

  let proven = false;
  return {
    ...answers,
    check: rememberSuccess(async () => {
      const models = await listModels(client).catch((error: unknown) => {
        throw explain(error);
      });
      // The model itself is asked once, for that may cost; from then on the list will do.
      if (proven && models?.includes(model) !== false) return;
      await answers.check().catch((error: Error) => {
        throw nameChoice(error, model, models);
      });
      proven = true;
    }, GOOD_FOR),
  };
}
