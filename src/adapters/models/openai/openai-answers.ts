import { ChatOpenAI } from '@langchain/openai';
import type { AnswerModel } from '../../../ports/language-model.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { createChatAnswers } from '../chat-answers.ts';
import { explainFailure } from '../explain-failure.ts';
import {
  CHECK_TTL_MS,
  connectionTo,
  createClient,
  listAlternatives,
  listModels,
  type OpenAiOptions,
} from './openai-server.ts';
import { StreamedCompletions } from './streamed-completions.ts';

/** Answers by a chat model of OpenAI, or of a compatible server, through LangChain. */
export function createOpenAiAnswers(options: OpenAiOptions): AnswerModel {
  const { server, model, timeoutMs } = options;
  const explain = (error: unknown) =>
    explainFailure(error, { server, model, setting: 'CHAT_MODEL' });
  const client = createClient(options);
  const fields = {
    model,
    // OpenAI's client retries until the first piece arrives, after the delay in `Retry-After`.
    // LangChain would not retry a 429 without that header, and would ignore it in a 503.
    configuration: { ...connectionTo(server), maxRetries: 2 },
    maxRetries: 0,
    // Some servers reject the option, and the usage is not needed.
    streamUsage: false,
  };
  const chat = new ChatOpenAI({ ...fields, completions: new StreamedCompletions(fields) });
  const answers = createChatAnswers({
    name: model,
    // `chat.stream` also traces and merges the pieces, and takes a third longer.
    stream: (messages, signal) => chat._streamResponseChunks(messages, { signal }),
    textOf: ({ text }) => text,
    idleTimeoutMs: timeoutMs,
    // The first is for chat completions, the second for the Responses API, which some models need.
    isLast: ({ generationInfo, message }) =>
      Boolean(generationInfo?.['finish_reason']) || 'status' in message.response_metadata,
    isFiltered: ({ generationInfo }) => generationInfo?.['finish_reason'] === 'content_filter',
    explain,
  });

  let hasAnswered = false;
  return {
    ...answers,
    check: rememberSuccess(async () => {
      const models = await listModels(client).catch((error: unknown) => {
        throw explain(error);
      });
      // A request to the model may cost money, so it is made once; later the list is enough.
      if (hasAnswered && models?.includes(model) !== false) return;
      await answers.check().catch((error: Error) => {
        throw listAlternatives(error, model, models);
      });
      hasAnswered = true;
    }, CHECK_TTL_MS),
  };
}
