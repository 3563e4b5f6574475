import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { AnswerModel } from '../../ports/language-model.ts';
import { CHECK_MS, limitSilence, SilenceError } from './silence.ts';

export interface ChatAnswersOptions<Piece> {
  name: string;
  /** Asks the model; its answer comes in pieces. */
  ask: (messages: BaseMessage[], signal: AbortSignal) => AsyncIterable<Piece>;
  textOf: (piece: Piece) => string;
  /** Milliseconds that the model may keep silent, before its first piece and between two. */
  patience: number;
  /** Tells the last piece of a whole answer, where the protocol marks it: a stream without one was cut. */
  isLast?: (piece: Piece) => boolean;
  /** Makes one line for the operator of a failure. */
  explain: (error: unknown) => Error;
}

/** Answers by any chat model of LangChain. A check asks the model for one piece, which may cost. */
export function createChatAnswers<Piece>(options: ChatAnswersOptions<Piece>): AnswerModel {
  const { name, ask, textOf, patience, isLast, explain } = options;

  return {
    name,
    async *answer({ instructions, message }, signal) {
      const silence = limitSilence(patience, signal);
      let complete = isLast === undefined;
      let empty = true;
      try {
        silence.begin();
        const messages = [new SystemMessage(instructions), new HumanMessage(message)];
        for await (const piece of ask(messages, silence.signal)) {
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
        silence.signal.throwIfAborted();
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
        const pieces = ask([new HumanMessage('Are you there?')], signal);
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
