/** Processes that are lent to one user at a time. */
export interface ProcessPool<P> {
  /**
   * A process that nobody else uses, as soon as there is one.
   *
   * @throws the reason of the signal
   */
  take(signal: AbortSignal): Promise<P>;
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
  /** Milliseconds that a user waits for others before one more than `warm` is started. */
  patience?: number;
  /** Milliseconds until one more than `warm` that nobody uses is ended. */
  idle?: number;
}

/**
 * A pool that keeps its processes: one that starts loads its libraries anew, and that takes longer
 * than most of what it is started for.
 */
export function createProcessPool<P extends Poolable>(options: Options<P>): ProcessPool<P> {
  const { start, warm, most, patience = 1000, idle = 60_000 } = options;
  const processes = new Set<P>();
  /** Those that nobody uses, the last used at the end. */
  const free: P[] = [];
  const waiting: ((process: P) => void)[] = [];
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

  /** Lends to those that wait, longest first, starting processes up to a number of them. */
  function serve(upTo: number): void {
    while (waiting.length > 0 && (free.length > 0 || processes.size < upTo)) {
      const process = free.pop() ?? add();
      clearTimeout(ends.get(process));
      ends.delete(process);
      waiting.shift()?.(process);
    }
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<P>();
      const leave = () => {
        waiting.splice(waiting.indexOf(resolve), 1);
        reject(signal.reason);
      };
      waiting.push(resolve);
      serve(warm);
      if (!waiting.includes(resolve)) return promise;
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
      free.push(process);
      serve(warm);
      if (!free.includes(process) || processes.size <= warm) return;
      ends.set(process, setTimeout(() => endSpare(process), idle).unref());
    },

    async close() {
      // Whoever still waits has nobody left to answer to.
      waiting.length = 0;
      const gone = [...processes].map(
        (process) =>
          new Promise((resolve) => process.gone.addEventListener('abort', resolve, { once: true })),
      );
      for (const process of processes) process.kill();
      await Promise.all(gone);
    },
  };
}
