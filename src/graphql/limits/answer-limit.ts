import { handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import { AppError } from '../../core/errors.ts';
import type { GraphqlContext } from '../context.ts';

/**
 * Rejects responses and subscription events that are larger than `bytes`, before they are
 * serialised. Until then, a text that occurs many times in a response is in memory only once.
 */
export function useAnswerLimit(bytes: number): Plugin<GraphqlContext> {
  const hook = ({ args }: { args: { contextValue: GraphqlContext } }) => {
    const { explain } = args.contextValue;
    return (payload: Parameters<typeof handleStreamOrSingleExecutionResult>[0]) =>
      handleStreamOrSingleExecutionResult(payload, ({ result, setResult }) => {
        if (!isLarger(result.data, bytes)) return;
        const error = new AppError('ANSWER_TOO_LARGE', { limitBytes: bytes });
        setResult({ data: null, errors: [explain(error)] });
      });
  };
  return {
    onExecute: (payload) => ({ onExecuteDone: hook(payload) }),
    onSubscribe: (payload) => ({ onSubscribeResult: hook(payload) }),
  };
}

/** Whether a value takes more than `bytes` as JSON. Escape sequences are not counted. */
function isLarger(value: unknown, bytes: number): boolean {
  // Most are so small that their bytes need not be counted.
  return exceeds(value, bytes, longestOf) && exceeds(value, bytes, Buffer.byteLength);
}

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
function longestOf(text: string): number {
  return 3 * text.length;
}

function exceeds(value: unknown, bytes: number, sizeOf: (text: string) => number): boolean {
  let left = bytes;
  const stack = [value];
  while (stack.length > 0 && left >= 0) {
    const next = stack.pop();
    // Delimiters, or a short value.
    left -= 2;
    if (typeof next === 'string') left -= sizeOf(next);
    else if (Array.isArray(next)) for (const part of next) stack.push(part);
    else if (typeof next === 'object' && next !== null) {
      const members = next as Record<string, unknown>;
      for (const key in members) {
        left -= key.length + 2;
        stack.push(members[key]);
      }
    }
  }
  return left < 0;
}
