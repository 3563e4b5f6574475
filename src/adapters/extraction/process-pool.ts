import { createTaskQueue, type Task } from './task-queue.ts';

/** Child processes, each of which is lent to one task at a time. */
export interface ProcessPool<P> {
  /**
   * Resolves with an unused process when the task is next in the queue.
   *
   * @throws the reason of the signal
   */
  acquire(task: Task, signal: AbortSignal): Promise<P>;
  /** Returns a process that is ready for another task. */
  release(process: P): void;
  /** Ends all processes. */
  close(): Promise<void>;
}

export interface PooledProcess {
  /** Aborted when the process has ended. */
  ended: AbortSignal;
  kill(): void;
}

interface Options<P> {
  start: () => P;
  /** Processes that are started on demand and then kept. */
  minProcesses: number;
  maxProcesses: number;
  /** Milliseconds that a task is queued before a process above `minProcesses` is started for it. */
  startAfterMs?: number;
  /** Milliseconds after which an unused process above `minProcesses` is ended. */
  idleTimeoutMs?: number;
}

/**
 * A pool that reuses its processes: a new one has to load its libraries, which takes longer than
 * most tasks.
 *
 * Owners are served in turn. When more than `minProcesses` are in use, the others are reserved for
 * owners that hold none. No owner can therefore occupy the whole pool, however long its tasks take.
 */
export function createProcessPool<P extends PooledProcess>(options: Options<P>): ProcessPool<P> {
  const {
    start,
    minProcesses,
    maxProcesses,
    startAfterMs = 1000,
    idleTimeoutMs = 60_000,
  } = options;
  const processes = new Set<P>();
  /** Unused processes, the most recently used last. */
  const idle: P[] = [];
  /** The owner of each process in use. */
  const owners = new Map<P, string>();
  const queue = createTaskQueue<P>();
  const idleTimers = new Map<P, NodeJS.Timeout>();

  function startProcess(): P {
    const process = start();
    processes.add(process);
    process.ended.addEventListener('abort', () => remove(process));
    return process;
  }

  function remove(process: P): void {
    processes.delete(process);
    owners.delete(process);
    if (idle.includes(process)) idle.splice(idle.indexOf(process), 1);
    stopIdleTimer(process);
    // If tasks are queued, another process is started in its place.
    serveQueue(processes.size + 1);
  }

  function stopIdleTimer(process: P): void {
    clearTimeout(idleTimers.get(process));
    idleTimers.delete(process);
  }

  function endIdle(process: P): void {
    if (processes.size <= minProcesses) return;
    // Removed first, so that a process that is about to end is not lent.
    remove(process);
    process.kill();
  }

  /** Assigns processes to queued tasks. Starts processes while there are fewer than `limit`. */
  function serveQueue(limit: number): void {
    while (idle.length > 0 || processes.size < limit) {
      const held = Map.groupBy(owners.values(), (owner) => owner);
      const mayHoldSeveral = owners.size <= minProcesses;
      const next = queue.next((owner) => held.get(owner)?.length ?? 0, mayHoldSeveral);
      if (!next) return;
      const process = idle.pop() ?? startProcess();
      stopIdleTimer(process);
      owners.set(process, next.owner);
      next.resolve(process);
    }
  }

  return {
    async acquire(task, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<P>();
      const queued = queue.add(task, resolve);
      const cancel = () => {
        queue.remove(queued);
        reject(signal.reason);
      };
      serveQueue(minProcesses);
      if (!queue.has(queued)) return promise;
      signal.addEventListener('abort', cancel);
      const growTimer = setTimeout(
        () => serveQueue(Math.min(processes.size + 1, maxProcesses)),
        startAfterMs,
      );
      try {
        return await promise;
      } finally {
        clearTimeout(growTimer);
        signal.removeEventListener('abort', cancel);
      }
    },

    release(process) {
      if (process.ended.aborted) return;
      owners.delete(process);
      idle.push(process);
      serveQueue(minProcesses);
      if (!idle.includes(process) || processes.size <= minProcesses) return;
      idleTimers.set(process, setTimeout(() => endIdle(process), idleTimeoutMs).unref());
    },

    async close() {
      // Queued tasks are dropped: nothing will receive their results.
      queue.clear();
      const ended = [...processes].map(
        (process) =>
          new Promise((resolve) =>
            process.ended.addEventListener('abort', resolve, { once: true }),
          ),
      );
      for (const process of processes) process.kill();
      await Promise.all(ended);
    },
  };
}
