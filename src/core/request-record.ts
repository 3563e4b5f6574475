import { AppError, toPublicError } from './errors.ts';
import { type ObserveOptions, observe, observeEach, type StatusOf } from './observe.ts';
import { type Observer, type Step, UNOBSERVED } from './observer.ts';
import type { Operation } from './policy.ts';

/** Records the customer, the operations and the steps of a request, and reports them to an observer. */
export function createRequestRecord(observer: Observer = UNOBSERVED) {
  const steps = new Map<Step, number>();
  const operations = new Set<Operation>();
  let running = 0;
  let onIdle = () => {};

  return {
    /** Milliseconds by step, in the order in which they first ended; repeated steps add up. */
    steps: steps as ReadonlyMap<Step, number>,
    operations: operations as ReadonlySet<Operation>,
    customerId: undefined as string | undefined,

    time<T>(step: Step, run: () => Promise<T>): Promise<T> {
      return observe(observer, { kind: 'step', name: step }, run, timed(step));
    },

    /** Measures the waits for items, without the time their consumer takes in between. */
    timeEach<T>(step: Step, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
      return observeEach(observer, { kind: 'step', name: step }, items, timed(step));
    },

    /** Runs an operation; the signal is aborted when the client disconnects. */
    operate<T>(name: Operation, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
      return observe(observer, { kind: 'operation', name }, run, started(name, signal));
    },

    /** The same for an operation with a stream of results, which ends with the stream. */
    operateEach<T>(
      name: Operation,
      signal: AbortSignal,
      results: AsyncIterable<T>,
    ): AsyncGenerator<T, void, undefined> {
      return observeEach(observer, { kind: 'operation', name }, results, started(name, signal));
    },

    /** Records an operation that was rejected before it began. */
    reject(name: Operation, signal: AbortSignal, error: unknown): void {
      if (operations.has(name)) return;
      operations.add(name);
      const status = statusFor(signal)({ error });
      observer.begin({ kind: 'operation', name }).end({ status, milliseconds: 0 });
    },

    /** Calls back when no operation is running: now, or when the last one ends. */
    whenIdle(callback: () => void): void {
      if (running === 0) callback();
      else onIdle = callback;
    },
  };

  function timed(step: Step): ObserveOptions {
    return { onWait: (milliseconds) => steps.set(step, (steps.get(step) ?? 0) + milliseconds) };
  }

  function started(operation: Operation, signal: AbortSignal): ObserveOptions {
    operations.add(operation);
    running++;
    return {
      statusOf: statusFor(signal),
      onEnd() {
        running--;
        if (running === 0) onIdle();
      },
    };
  }
}

export type RequestRecord = ReturnType<typeof createRequestRecord>;

/** The outcome of an operation as an HTTP status, for every transport. */
function statusFor(signal: AbortSignal): StatusOf {
  return (failure) => {
    if (signal.aborted && !(failure?.error instanceof AppError)) return 'aborted';
    return String(failure ? toPublicError(failure.error).status : 200);
  };
}
