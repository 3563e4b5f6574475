/** What a process is wanted for. */
export interface Work {
  /** Who it is done for; processes are shared out evenly among owners. */
  owner: string;
  /** Bytes to be read. */
  size: number;
}

export interface Waiter<T> {
  owner: string;
  /** When it would be done at `BYTES_PER_MS` if it had not had to wait, in milliseconds. */
  due: number;
  resolve(value: T): void;
}

export interface WaitingLine<T> {
  join(work: Work, resolve: (value: T) => void): Waiter<T>;
  leave(waiter: Waiter<T>): void;
  has(waiter: Waiter<T>): boolean;
  /**
   * Removes and returns whose turn it is, if it is anybody's.
   *
   * @param held how many an owner has now
   * @param mayHaveMore whether an owner who has one already may be given another
   */
  next(held: (owner: string) => number, mayHaveMore: boolean): Waiter<T> | undefined;
  clear(): void;
}

/** A slow reader's speed. */
const BYTES_PER_MS = 1000;

/**
 * Those that wait, of several owners. First comes the owner who has least, then the one who was
 * last served longest ago, and then the work that is due first: small work passes large work, until
 * the large has waited for as long as it takes.
 */
export function createWaitingLine<T>(): WaitingLine<T> {
  const waiting = new Set<Waiter<T>>();
  /** Of owners who wait, when each was last served: the numbers only grow. */
  const turns = new Map<string, number>();
  let served = 0;

  function remove(waiter: Waiter<T>): void {
    waiting.delete(waiter);
    const isLast = ![...waiting].some(({ owner }) => owner === waiter.owner);
    if (isLast) turns.delete(waiter.owner);
  }

  return {
    join({ owner, size }, resolve) {
      const waiter = { owner, due: performance.now() + size / BYTES_PER_MS, resolve };
      waiting.add(waiter);
      return waiter;
    },
    leave: remove,
    has: (waiter) => waiting.has(waiter),
    next(held, mayHaveMore) {
      const turn = (owner: string) => turns.get(owner) ?? 0;
      const [next] = [...waiting]
        .filter(({ owner }) => mayHaveMore || held(owner) === 0)
        .sort(
          (a, b) => held(a.owner) - held(b.owner) || turn(a.owner) - turn(b.owner) || a.due - b.due,
        );
      if (!next) return;
      turns.set(next.owner, ++served);
      remove(next);
      return next;
    },
    clear: () => waiting.clear(),
  };
}
