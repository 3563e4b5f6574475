interface Queue {
  running: number;
  /** Those who wait, first come first served. */
  waiting: Set<() => void>;
}

/** Lets so many things of one customer go on at once; further ones wait for their turn. */
export function createTurns(atOnce: number) {
  const queues = new Map<number, Queue>();

  /**
   * Waits for a turn.
   *
   * @returns the end of it, to be called once
   * @throws the signal's reason when it aborts before
   */
  return async function takeTurn(customerKey: number, signal: AbortSignal): Promise<() => void> {
    const queue = queues.get(customerKey) ?? { running: 0, waiting: new Set() };
    queues.set(customerKey, queue);
    if (queue.running < atOnce) queue.running++;
    else await handedOn(queue, signal);
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

/** Waits until a turn that ends is handed on. */
function handedOn({ waiting }: Queue, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.throwIfAborted();
  const leave = () => {
    waiting.delete(take);
    reject(signal.reason);
  };
  const take = () => {
    signal.removeEventListener('abort', leave);
    resolve();
  };
  waiting.add(take);
  signal.addEventListener('abort', leave, { once: true });
  return promise;
}
