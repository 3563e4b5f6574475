import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { type AnswerPiece, readMarks } from '../../core/citation-marks.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AnswerModel, Prompt } from '../../ports/language-model.ts';
import { CHECK_TIMEOUT_MS, IdleTimeoutError, startIdleTimeout } from './idle-timeout.ts';
import { createThoughtFilter } from './thought-filter.ts';

export interface ChatAnswersOptions<Piece> {
  name: string;
  /** Sends messages to the model; the answer is streamed in pieces. */
  stream: (messages: BaseMessage[], signal: AbortSignal) => AsyncIterable<Piece>;
  textOf: (piece: Piece) => string;
  /** Milliseconds to wait for the first piece, and for each one after it. */
  idleTimeoutMs: number;
  /** Whether a piece ends the answer, if the protocol marks the end: a stream without one was cut off. */
  isLast?: (piece: Piece) => boolean;
  /** Whether a content filter cuts the answer off with this piece. */
  isFiltered: (piece: Piece) => boolean;
  /** Describes a failure to the operator in one line. */
  explain: (error: unknown) => Error;
}

/** Answers by any LangChain chat model. A check requests one piece from the model, which may cost money. */
export function createChatAnswers<Piece>(options: ChatAnswersOptions<Piece>): AnswerModel {
  const { name, stream, textOf, idleTimeoutMs, isLast, isFiltered, explain } = options;

  return {
    name,
    answer: (prompt, signal) => requireText(readMarks(write(prompt, signal))),

    async rewrite(followUp, signal) {
      let rewritten = '';
      for await (const text of write(followUp, signal)) {
        rewritten += text;
        if (rewritten.length > LIMITS.questionCharacters) {
          throw explain(new Error('its question is longer than any question may be'));
        }
      }
      if (rewritten.trim() === '') throw explain(new Error('its question is empty'));
      return rewritten;
    },

    async check() {
      const done = new AbortController();
      const signal = AbortSignal.any([done.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
      try {
        const pieces = stream([new HumanMessage('Are you there?')], signal);
        const first = await pieces[Symbol.asyncIterator]().next();
        if (first.done) throw new Error('its answer is empty');
      } catch (error) {
        throw explain(signal.aborted ? new IdleTimeoutError(CHECK_TIMEOUT_MS) : error);
      } finally {
        done.abort();
      }
    },
  };

  async function* requireText(pieces: AsyncIterable<AnswerPiece>): AsyncGenerator<AnswerPiece> {
    let empty = true;
    for await (const piece of pieces) {
      if (typeof piece === 'string') empty = false;
      yield piece;
    }
    if (empty) throw explain(new Error('its answer is empty'));
  }

  /**
   * Streams the text of the model to its end. Not a generator, which would keep the prompt in memory as
   * long.
   */
  function write(
    { instructions, message }: Pick<Prompt, 'instructions' | 'message'>,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    return readTexts([new SystemMessage(instructions), new HumanMessage(message)], signal);
  }

  /** @param messages emptied when the first piece has arrived, because LangChain keeps them to the end */
  async function* readTexts(
    messages: BaseMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    const idle = startIdleTimeout(idleTimeoutMs, signal);
    const thoughts = createThoughtFilter();
    let complete = isLast === undefined;
    try {
      idle.wait();
      for await (const piece of stream(messages, idle.signal)) {
        idle.pause();
        messages.length = 0;
        if (isFiltered(piece)) throw new Error('a content filter cut its answer off');
        complete ||= isLast?.(piece) ?? false;
        const text = thoughts.read(textOf(piece));
        if (text !== '') yield text;
        idle.wait();
      }
      // An aborted stream may end without an error.
      idle.signal.throwIfAborted();
      if (!complete) throw new Error('its answer was cut off');
      const rest = thoughts.end();
      if (rest !== '') yield rest;
    } catch (error) {
      signal.throwIfAborted();
      throw explain(idle.signal.aborted ? idle.signal.reason : error);
    } finally {
      idle.stop();
    }
  }
}
