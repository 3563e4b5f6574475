import { setTimeout } from 'node:timers/promises';
import { AppError, unavailable } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { createAutoResetEvent } from './auto-reset-event.ts';
import type { Dependencies } from './dependencies.ts';
import type { Caller } from './guard.ts';

/** What a look at the database found. */
export interface Look<T> {
  events: T[];
  /** `more`: look again at once; `wait`: look after the next notice; `end`: there will be no more. */
  next: 'more' | 'wait' | 'end';
}

const NOTHING: Look<never> = { events: [], next: 'wait' };

/** Credentials are checked before each look, and after this time without one. */
const RECHECK_MS = 10_000;
/** The pause before the next look while the database is away. */
const OUTAGE_PAUSE_MS = 1000;

/**
 * Subscriptions to changes. Each remembers what it has seen, and looks for more when its client has
 * taken everything: a slow client holds up nobody, and nothing is queued for it.
 */
export function createWatches({ changes, isOutage }: Pick<Dependencies, 'changes' | 'isOutage'>) {
  const open = new Map<number, number>();
  const stopping = new AbortController();

  return {
    /** Ends all of them, with UNAVAILABLE, because the gateway stops. */
    end: () => stopping.abort(),

    /**
     * Yields the events of one look after the other, the first of them now. An outage of the database
     * delays events.
     *
     * @throws AppError TOO_MANY_SUBSCRIPTIONS; INVALID_CREDENTIAL when the key was revoked
     *   meanwhile, TOKEN_EXPIRED when the token has expired; UNAVAILABLE when the gateway stops
     */
    async *watch<T>(
      { customerKey, signal: gone, recheck }: Pick<Caller, 'customerKey' | 'signal' | 'recheck'>,
      look: () => Promise<Look<T>>,
    ): AsyncGenerator<T, void, undefined> {
      const removeSubscriber = addSubscriber(customerKey);
      const noticed = createAutoResetEvent();
      const unsubscribe = changes.subscribe(customerKey, noticed.set);
      const signal = AbortSignal.any([gone, stopping.signal]);
      try {
        while (!signal.aborted) {
          const isNoticed = await noticed.wait(RECHECK_MS, signal);
          if (signal.aborted) break;
          const found = await unlessAway(async () => {
            await recheck();
            return isNoticed ? look() : NOTHING;
          });
          if (!found) await setTimeout(OUTAGE_PAUSE_MS, undefined, { ref: false });
          if (!found || found.next === 'more') noticed.set();
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

  /** @returns undefined when the database is away */
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

export type Watches = ReturnType<typeof createWatches>;
