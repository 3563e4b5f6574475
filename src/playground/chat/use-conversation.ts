import { useEffect, useRef, useState } from 'preact/hooks';
import { isUncertain } from '../../client/attempts.ts';
import { newIdempotencyKey } from '../../client/connection.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AskQuestionInput, TurnInput } from '../../generated/playground.ts';
import type { Gateway } from '../api/gateway.ts';
import { type Problem, problemOf } from '../api/problem.ts';
import { type Answer, grow, NO_ANSWER } from './answer.ts';

/** A question and its result. */
export interface Turn {
  /** What was asked, with an idempotency key: asked again with the same one, it is paid once. */
  input: AskQuestionInput & { idempotencyKey: string };
  answer: Answer;
  state: 'answering' | 'complete' | 'stopped' | 'failed';
  /** Why it has failed. */
  problem?: Problem;
}

export interface ConversationOptions {
  gateway: Gateway;
  /** The fields of every question, such as its dataset. */
  wishes: Omit<AskQuestionInput, 'question' | 'history' | 'idempotencyKey'>;
  onAsk?: (input: AskQuestionInput) => void;
  onAnswer?: (turn: Turn) => void;
  onProblem?: (problem: Problem) => void;
  /** Called when a question has ended, whatever its outcome. */
  onEnd?: () => void;
}

/** Turns that are sent with the next question. */
const REMEMBERED_TURNS = 10;
/** Events that come within this time are drawn at once: each time, the whole answer is drawn again. */
const FRAME_MS = 16;

/** A conversation: each question is sent with the earlier turns. */
export function useConversation(options: ConversationOptions) {
  const [turns, setTurns] = useState<Turn[]>([]);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  return {
    turns,
    ask(question: string): void {
      const history = turns.slice(-REMEMBERED_TURNS).flatMap(toHistory);
      const input = { ...options.wishes, question, history, idempotencyKey: newIdempotencyKey() };
      void run({ input, answer: NO_ANSWER, state: 'answering' }, turns);
    },
    stop(): void {
      running.current?.abort();
    },
    /** Asks the last question again, which is not paid twice if its answer was only lost. */
    retry(): void {
      const last = turns.at(-1);
      if (!last) return;
      const { problem } = last;
      const isLost = problem && (isUncertain(problem) || problem.code === 'UNAVAILABLE');
      const input = isLost
        ? last.input
        : { ...last.input, ...options.wishes, idempotencyKey: newIdempotencyKey() };
      void run({ input, answer: NO_ANSWER, state: 'answering' }, turns.slice(0, -1));
    },
    clear(): void {
      running.current?.abort();
      running.current = undefined;
      setTurns([]);
    },
  };

  async function run(first: Turn, before: Turn[]): Promise<void> {
    const controller = new AbortController();
    running.current?.abort();
    running.current = controller;
    let turn = first;
    let drawing: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      clearTimeout(drawing);
      drawing = undefined;
      if (running.current === controller) setTurns([...before, turn]);
    };
    const show = (change: Partial<Turn>) => {
      turn = { ...turn, ...change };
      draw();
    };
    show({});
    options.onAsk?.(turn.input);
    try {
      for await (const event of options.gateway.ask(turn.input, controller.signal)) {
        turn = { ...turn, answer: grow(turn.answer, event) };
        drawing ??= setTimeout(draw, FRAME_MS);
      }
      show({ state: 'complete' });
      options.onAnswer?.(turn);
    } catch (error) {
      if (controller.signal.aborted) show({ state: 'stopped' });
      else {
        const problem = problemOf(error);
        show({ state: 'failed', problem });
        options.onProblem?.(problem);
      }
    }
    options.onEnd?.();
  }
}

function toHistory({ input, answer, state }: Turn): TurnInput[] {
  if (state !== 'complete') return [];
  return [
    { role: 'USER', content: input.question },
    // The question after a very long answer would be refused.
    { role: 'ASSISTANT', content: answer.text.slice(0, LIMITS.turnCharacters) },
  ];
}
