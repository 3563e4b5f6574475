import type { GraphqlContext } from './context.ts';

/**
 * The events of a subscription. Cancels the call when the client unsubscribes: `return` alone would
 * wait for the next event.
 */
export function withCancel<T>(
  events: AsyncGenerator<T, void, undefined>,
  { cancel, explain }: GraphqlContext,
): AsyncIterableIterator<T> {
  return {
    next: () => events.next().catch((error: unknown) => Promise.reject(explain(error))),
    return: () => {
      cancel();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
