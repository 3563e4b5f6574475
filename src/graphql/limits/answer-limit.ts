import { handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import { AppError } from '../../core/errors.ts';
import type { GraphqlContext } from '../context.ts';

/**
 * Refuses answers, and events of a subscription, that are larger than so many bytes, before they
 * are written: until then a text that is in an answer a thousand times is in memory once.
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

/** Whether a value as JSON takes more than so many bytes, but for what its texts escape. */
function isLarger(value: unknown, bytes: number): boolean {
  let left = bytes;
  const waiting = [value];
  while (waiting.length > 0 && left >= 0) {
    const next = waiting.pop();
    // What stands around a value, or a short one.
    left -= 2;
    if (typeof next === 'string') left -= Buffer.byteLength(next);
    else if (Array.isArray(next)) for (const part of next) waiting.push(part);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, part] of Object.entries(next)) {
        left -= key.length + 2;
        waiting.push(part);
      }
    }
  }
  return left < 0;
}
