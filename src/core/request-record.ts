import { AppError, toPublicError } from './errors.ts';
import { type ObserveOptions, observe, observeEach, type StatusOf } from './observe.ts';
import { type Observer, type Step, UNOBSERVED } from './observer.ts';
import type { Operation } from './policy.ts';

/** Keeps whose a request is, what it does and what its time goes to, and has that observed. */
export function createRequestRecord(observer: Observer = UNOBSERVED) {
  const steps = new Map<Step, number>();
  const operations = new Set<Operation>();
  let running = 0;
  let onIdle = () => {};

  return {
    /** Milliseconds by step, in the order of their first ends; what a step takes again is added. */
    steps: steps as ReadonlyMap<Step, number>,
    operations: operations as ReadonlySet<Operation>,
    customerId: undefined as string | undefined,

    time<T>(step: Step, run: () => Promise<T>): Promise<T> {
      return observe(observer, { kind: 'step', name: step }, run, timed(step));
    },

    /** Measures the waits for the items, not what their reader does in between. */
    timeEach<T>(step: Step, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
      return observeEach(observer, { kind: 'step', name: step }, items, timed(step));
    },

    /** Does an operation; the signal tells that the client went away. */
    operate<T>(name: Operation, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
      return observe(observer, { kind: 'operation', name }, run, started(name, signal));
    },

    /** The same for an operation with a stream of results: it goes on until the stream ends. */
    operateEach<T>(
      name: Operation,
      signal: AbortSignal,
      results: AsyncIterable<T>,
    ): AsyncGenerator<T, void, undefined> {
      return observeEach(observer, { kind: 'operation', name }, results, started(name, signal));
    },

    /** For an operation that was refused before it began. */
    refuse(name: Operation, signal: AbortSignal, error: unknown): void {
      if (operations.has(name)) return;
      operations.add(name);
      const status = statusFor(signal)({ error });
      observer.begin({ kind: 'operation', name }).end({ status, milliseconds: 0 });
    },

    /** Calls back when no operation runs: now, or at the end of the last one. */
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

/** The HTTP status of an operation's end, whichever door it was asked through. */
function statusFor(signal: AbortSignal): StatusOf {
  return (failure) => {
    if (signal.aborted && !(failure?.error instanceof AppError)) return 'aborted';
    return String(failure ? toPublicError(failure.error).status : 200);
  };
}
