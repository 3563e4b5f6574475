import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { AnswerModel } from '../../ports/language-model.ts';
import { CHECK_MS, limitSilence, SilenceError } from './silence.ts';

export interface ChatAnswersOptions {
  name: string;
  chat: Pick<BaseChatModel, 'stream'>;
  /** Milliseconds that the model may keep silent, before its first piece and between two. */
  patience: number;
  /** Tells the last piece of a whole answer, where the protocol marks it: a stream without one was cut. */
  isLast?: (piece: AIMessageChunk) => boolean;
  /** Makes one line for the operator of a failure. */
  explain: (error: unknown) => Error;
}

/** Answers by any chat model of LangChain. A check asks the model for one piece, which may cost. */
export function createChatAnswers(options: ChatAnswersOptions): AnswerModel {
  const { name, chat, patience, isLast, explain } = options;

  return {
    name,
    async *answer({ instructions, message }, signal) {
      const silence = limitSilence(patience);
      let complete = isLast === undefined;
      let empty = true;
      try {
        const either = AbortSignal.any([signal, silence.signal]);
        silence.begin();
        const pieces = await chat.stream(
          [
            ['system', instructions],
            ['human', message],
          ],
          { signal: either },
        );
        for await (const piece of pieces) {
          silence.end();
          complete ||= isLast?.(piece) ?? false;
          const text = textOf(piece);
          if (text !== '') {
            empty = false;
            yield text;
          }
          silence.begin();
        }
        // A stream that is aborted may just end.
        either.throwIfAborted();
        if (!complete) throw new Error('its answer was cut off');
        if (empty) throw new Error('its answer is empty');
      } catch (error) {
        signal.throwIfAborted();
        throw explain(silence.signal.aborted ? silence.signal.reason : error);
      } finally {
        silence.stop();
      }
    },

    async check() {
      const enough = new AbortController();
      const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(CHECK_MS)]);
      try {
        const pieces = await chat.stream([['human', 'Are you there?']], { signal });
        const { done } = await pieces[Symbol.asyncIterator]().next();
        if (done) throw new Error('its answer is empty');
      } catch (error) {
        throw explain(signal.aborted ? new SilenceError(CHECK_MS) : error);
      } finally {
        enough.abort();
      }
    },
  };
}

/** Most models send plain text, and a lot of pieces: LangChain's own `text` sorts out every kind of content first. */
function textOf(piece: AIMessageChunk): string {
  return typeof piece.content === 'string' ? piece.content : piece.text;
}
