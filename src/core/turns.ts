interface Queue {
  running: number;
  /** Callbacks of waiting callers, first in first out. */
  waiting: Set<() => void>;
}

/** Limits concurrency per customer; further callers wait for their turn. */
export function createTurns(atOnce: number) {
  const queues = new Map<number, Queue>();

  /**
   * Waits for a turn.
   *
   * @returns a function that ends the turn, to be called once
   * @throws the reason of the signal when it is aborted first
   */
  return async function takeTurn(customerKey: number, signal: AbortSignal): Promise<() => void> {
    const queue = queues.get(customerKey) ?? { running: 0, waiting: new Set() };
    queues.set(customerKey, queue);
    if (queue.running < atOnce) queue.running++;
    else await waitForTurn(queue, signal);
    return () => {
      const [next] = queue.waiting;
      if (next) {
        queue.waiting.delete(next);
        next();
        return;
      }
      queue.running--;
      if (queue.running === 0) queues.delete(customerKey);
    };
  };
}

/** Waits until another turn ends. */
function waitForTurn({ waiting }: Queue, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.throwIfAborted();
  const cancel = () => {
    waiting.delete(take);
    reject(signal.reason);
  };
  const take = () => {
    signal.removeEventListener('abort', cancel);
    resolve();
  };
  waiting.add(take);
  signal.addEventListener('abort', cancel, { once: true });
  return promise;
}
