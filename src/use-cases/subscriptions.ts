import { setTimeout } from 'node:timers/promises';
import { AppError, unavailable } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { createAutoResetEvent } from './auto-reset-event.ts';
import type { Dependencies } from './dependencies.ts';
import type { Caller } from './guard.ts';

/** What one poll of the database found. */
export interface PollResult<T> {
  events: T[];
  /** `more`: poll again at once; `wait`: poll after the next notice; `end`: there will be no more. */
  next: 'more' | 'wait' | 'end';
}

const NO_EVENTS: PollResult<never> = { events: [], next: 'wait' };

/** Credentials are checked before each poll, and after this time without one. */
const RECHECK_MS = 10_000;
/** The pause before the next poll while the database is away. */
const OUTAGE_PAUSE_MS = 1000;

/**
 * Subscriptions to changes. Each remembers what it has seen, and polls for more when its client has
 * taken everything: a slow client holds up nobody, and nothing is queued for it.
 */
export function createSubscriptions({
  changes,
  isOutage,
}: Pick<Dependencies, 'changes' | 'isOutage'>) {
  const open = new Map<number, number>();
  const stopping = new AbortController();

  return {
    /** Ends all of them, with UNAVAILABLE, because the gateway stops. */
    end: () => stopping.abort(),

    /**
     * Yields the events of one poll after the other, the first of them now. An outage of the database
     * delays events.
     *
     * @throws AppError TOO_MANY_SUBSCRIPTIONS; INVALID_CREDENTIAL when the key was revoked
     *   meanwhile, TOKEN_EXPIRED when the token has expired; UNAVAILABLE when the gateway stops
     */
    async *subscribe<T>(
      { customerKey, signal: gone, recheck }: Pick<Caller, 'customerKey' | 'signal' | 'recheck'>,
      poll: () => Promise<PollResult<T>>,
    ): AsyncGenerator<T, void, undefined> {
      const removeSubscriber = addSubscriber(customerKey);
      const wakeup = createAutoResetEvent();
      const unsubscribe = changes.subscribe(customerKey, wakeup.set);
      const signal = AbortSignal.any([gone, stopping.signal]);
      try {
        while (!signal.aborted) {
          const isWoken = await wakeup.wait(RECHECK_MS, signal);
          if (signal.aborted) break;
          const found = await unlessAway(async () => {
            await recheck();
            return isWoken ? poll() : NO_EVENTS;
          });
          if (!found) await setTimeout(OUTAGE_PAUSE_MS, undefined, { ref: false });
          if (!found || found.next === 'more') wakeup.set();
          if (!found) continue;
          yield* found.events;
          if (found.next === 'end') return;
        }
      } finally {
        unsubscribe();
        removeSubscriber();
      }
      if (!gone.aborted) throw unavailable();
    },
  };

  function addSubscriber(customerKey: number): () => void {
    const count = open.get(customerKey) ?? 0;
    const limit = LIMITS.subscriptionsPerCustomer;
    if (count >= limit) throw new AppError('TOO_MANY_SUBSCRIPTIONS', { limit });
    open.set(customerKey, count + 1);
    return () => {
      const left = (open.get(customerKey) ?? 1) - 1;
      if (left > 0) open.set(customerKey, left);
      else open.delete(customerKey);
    };
  }

  /** @returns undefined when the database is unavailable */
  async function unlessAway<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof AppError ? error.code === 'UNAVAILABLE' : isOutage(error);
      if (isAway) return undefined;
      throw error;
    }
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
