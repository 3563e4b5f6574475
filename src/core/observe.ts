import type { Observer, Work } from './observer.ts';

/** The status of completed work, from its error if it failed. */
export type StatusOf = (failure?: { error: unknown }) => string;

const okOrFailed: StatusOf = (failure) => (failure ? 'failed' : 'ok');

export interface ObserveOptions {
  statusOf?: StatusOf;
  /** Called with the milliseconds of each wait for a result. */
  onWait?: (milliseconds: number) => void;
  onEnd?: () => void;
}

/** Runs work and reports it to an observer. */
export async function observe<T>(
  observer: Observer,
  work: Work,
  run: () => Promise<T>,
  { statusOf = okOrFailed, onWait, onEnd }: ObserveOptions = {},
): Promise<T> {
  const observed = observer.begin(work);
  const start = performance.now();
  const end = (status: string) => {
    const milliseconds = performance.now() - start;
    onWait?.(milliseconds);
    observed.end({ status, milliseconds });
    onEnd?.();
  };
  try {
    const result = await observed.within(run);
    end(statusOf());
    return result;
  } catch (error) {
    end(statusOf({ error }));
    throw error;
  }
}

/**
 * The same for work with a stream of results. It begins now and ends with the stream. Its time is the
 * time spent waiting for results, without the time its consumer takes in between.
 */
export function observeEach<T>(
  observer: Observer,
  work: Work,
  results: AsyncIterable<T>,
  { statusOf = okOrFailed, onWait, onEnd }: ObserveOptions = {},
): AsyncGenerator<T, void, undefined> {
  const observed = observer.begin(work);
  const iterator = results[Symbol.asyncIterator]();
  let total = 0;
  let ended = false;
  const end = (status: string) => {
    if (ended) return;
    ended = true;
    observed.end({ status, milliseconds: total });
    onEnd?.();
  };
  // Each part of an answer passes through here several times: one promise each time, no more.
  const take = (step: () => Promise<IteratorResult<T, void>>) => {
    const start = performance.now();
    const onTaken = () => {
      const milliseconds = performance.now() - start;
      total += milliseconds;
      onWait?.(milliseconds);
    };
    return observed.within(step).then(
      (taken) => {
        onTaken();
        if (taken.done) end(statusOf());
        return taken;
      },
      (error: unknown) => {
        onTaken();
        end(statusOf({ error }));
        throw error;
      },
    );
  };

  return {
    next: () => take(() => iterator.next()),
    return: () => take(async () => (await iterator.return?.()) ?? { done: true, value: undefined }),
    throw: (error) => take(async () => iterator.throw?.(error) ?? Promise.reject(error)),
    async [Symbol.asyncDispose]() {
      await this.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
