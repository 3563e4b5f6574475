import { createWaitingLine, type Work } from './waiting-line.ts';

/** Processes that are lent to one piece of work at a time. */
export interface ProcessPool<P> {
  /**
   * A process that nobody else uses, as soon as there is one and it is the owner's turn.
   *
   * @throws the reason of the signal
   */
  take(work: Work, signal: AbortSignal): Promise<P>;
  /** Takes back a process that waits for its next task. */
  give(process: P): void;
  /** Ends all of them. */
  close(): Promise<void>;
}

export interface Poolable {
  /** Aborted when the process has ended. */
  gone: AbortSignal;
  kill(): void;
}

interface Options<P> {
  start: () => P;
  /** Processes that are started as soon as they are needed, and stay. */
  warm: number;
  /** Processes at most. */
  most: number;
  /** Milliseconds that work waits for other work before one more than `warm` is started. */
  patience?: number;
  /** Milliseconds until one more than `warm` that nobody uses is ended. */
  idle?: number;
}

/**
 * A pool that keeps its processes: one that starts loads its libraries anew, and that takes longer
 * than most of what it is started for.
 *
 * Owners are served in turn. When `warm` and one more are lent, the rest is for owners who have
 * none: one owner never has all of them, however long the work takes.
 */
export function createProcessPool<P extends Poolable>(options: Options<P>): ProcessPool<P> {
  const { start, warm, most, patience = 1000, idle = 60_000 } = options;
  const processes = new Set<P>();
  /** Those that nobody uses, the last used at the end. */
  const free: P[] = [];
  /** Those in use, and by whom. */
  const lent = new Map<P, string>();
  const waiting = createWaitingLine<P>();
  /** Of the processes in `free`, when each is ended. */
  const ends = new Map<P, NodeJS.Timeout>();

  function add(): P {
    const process = start();
    processes.add(process);
    process.gone.addEventListener('abort', () => remove(process));
    return process;
  }

  function remove(process: P): void {
    processes.delete(process);
    lent.delete(process);
    if (free.includes(process)) free.splice(free.indexOf(process), 1);
    clearTimeout(ends.get(process));
    ends.delete(process);
    // Another in its place, if somebody waits.
    serve(processes.size + 1);
  }

  function endSpare(process: P): void {
    if (processes.size <= warm) return;
    // First, so that nobody is lent what is about to end.
    remove(process);
    process.kill();
  }

  /** Lends to those whose turn it is, starting processes up to a number of them. */
  function serve(upTo: number): void {
    while (free.length > 0 || processes.size < upTo) {
      const held = Map.groupBy(lent.values(), (owner) => owner);
      const mayHaveMore = lent.size <= warm;
      const next = waiting.next((owner) => held.get(owner)?.length ?? 0, mayHaveMore);
      if (!next) return;
      const process = free.pop() ?? add();
      clearTimeout(ends.get(process));
      ends.delete(process);
      lent.set(process, next.owner);
      next.resolve(process);
    }
  }

  return {
    async take(work, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<P>();
      const waiter = waiting.join(work, resolve);
      const leave = () => {
        waiting.leave(waiter);
        reject(signal.reason);
      };
      serve(warm);
      if (!waiting.has(waiter)) return promise;
      signal.addEventListener('abort', leave);
      const impatient = setTimeout(() => serve(Math.min(processes.size + 1, most)), patience);
      try {
        return await promise;
      } finally {
        clearTimeout(impatient);
        signal.removeEventListener('abort', leave);
      }
    },

    give(process) {
      if (process.gone.aborted) return;
      lent.delete(process);
      free.push(process);
      serve(warm);
      if (!free.includes(process) || processes.size <= warm) return;
      ends.set(process, setTimeout(() => endSpare(process), idle).unref());
    },

    async close() {
      // Whoever still waits has nobody left to answer to.
      waiting.clear();
      const gone = [...processes].map(
        (process) =>
          new Promise((resolve) => process.gone.addEventListener('abort', resolve, { once: true })),
      );
      for (const process of processes) process.kill();
      await Promise.all(gone);
    },
  };
}
