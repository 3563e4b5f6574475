/** A task for which a process is requested. */
export interface Task {
  /** Whose task it is. Processes are shared evenly among owners. */
  owner: string;
  /** Bytes to read. */
  size: number;
}

export interface QueuedTask<T> {
  owner: string;
  /** Expected time of completion, had the task not been queued, in milliseconds of `performance.now()`. */
  deadline: number;
  resolve(value: T): void;
}

export interface TaskQueue<T> {
  add(task: Task, resolve: (value: T) => void): QueuedTask<T>;
  remove(task: QueuedTask<T>): void;
  has(task: QueuedTask<T>): boolean;
  /**
   * Removes and returns the task to serve next, if there is one.
   *
   * @param heldBy the number of processes that an owner holds now
   * @param mayHoldSeveral whether owners that hold a process may be given another
   */
  next(heldBy: (owner: string) => number, mayHoldSeveral: boolean): QueuedTask<T> | undefined;
  clear(): void;
}

/** The throughput of a slow reader. */
const BYTES_PER_MS = 1000;

/**
 * A fair queue of tasks. It prefers the owner that holds the fewest processes, then the owner that
 * was served least recently, then the task with the earliest deadline. Small tasks therefore
 * overtake large ones, but only until a large one has waited as long as it takes to process.
 */
export function createTaskQueue<T>(): TaskQueue<T> {
  const queued = new Set<QueuedTask<T>>();
  /** Sequence number of the last service, for each owner with queued tasks. */
  const lastServed = new Map<string, number>();
  let served = 0;

  function remove(task: QueuedTask<T>): void {
    queued.delete(task);
    const isLast = ![...queued].some(({ owner }) => owner === task.owner);
    if (isLast) lastServed.delete(task.owner);
  }

  return {
    add({ owner, size }, resolve) {
      const task = { owner, deadline: performance.now() + size / BYTES_PER_MS, resolve };
      queued.add(task);
      return task;
    },
    remove,
    has: (task) => queued.has(task),
    next(heldBy, mayHoldSeveral) {
      const turn = (owner: string) => lastServed.get(owner) ?? 0;
      const [next] = [...queued]
        .filter(({ owner }) => mayHoldSeveral || heldBy(owner) === 0)
        .sort(
          (a, b) =>
            heldBy(a.owner) - heldBy(b.owner) ||
            turn(a.owner) - turn(b.owner) ||
            a.deadline - b.deadline,
        );
      if (!next) return;
      lastServed.set(next.owner, ++served);
      remove(next);
      return next;
    },
    clear: () => queued.clear(),
  };
}
