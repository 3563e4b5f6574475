import { z } from 'zod';
import type { Turn } from '../../core/answer.ts';
import { LIMITS } from '../../core/limits.ts';
import { cutToTokens, estimateTokens } from '../../core/token-estimate.ts';
import { readInput } from '../input.ts';

/** The tokens of all turns that are shown to a model. */
const SHOWN_TOKENS = 3_000;
/** The tokens of one turn: a longer one is cut, so that others are also shown. */
const TURN_TOKENS = 1_000;

const history = z
  .array(
    z.object(
      {
        role: z.enum(['user', 'assistant'], 'role of a turn must be user or assistant'),
        content: z
          .string('content of a turn must be a string')
          .max(
            LIMITS.turnCharacters,
            `content of a turn must be at most ${LIMITS.turnCharacters} characters long`,
          ),
      },
      'a turn must be an object with role and content',
    ),
    'history must be an array',
  )
  .max(LIMITS.historyTurns, `history must be at most ${LIMITS.historyTurns} turns`);

/** The turns before a question, oldest first, without blank ones. */
export function readHistory(value: unknown): Turn[] {
  return readInput(history, value ?? [])
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content }) => ({ role, content: content.toWellFormed() }));
}

/**
 * The newest turns within the token budget, each as one line of JSON, so that no text in them can
 * imitate another part of the prompt. A long turn is cut.
 */
export function quoteTurns(turns: Turn[]): string {
  const lines: string[] = [];
  let left = SHOWN_TOKENS;
  for (const turn of turns.toReversed()) {
    const content = cutToTokens(turn.content, TURN_TOKENS);
    left -= estimateTokens(content);
    if (left < 0) break;
    lines.unshift(quoteTurn({ ...turn, content }));
  }
  return lines.join('\n');
}

export function quoteTurn({ role, content }: Turn): string {
  return JSON.stringify({ role, content });
}
