import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateStatus } from '../../core/model.ts';
import type { RateLimiter, RateWindow } from '../../ports/rate-limiter.ts';

const WINDOW_SECONDS = 60;

/** A rate limiter that can be checked and closed. */
export interface ClosableRateLimiter extends RateLimiter {
  /** @throws Error for the operator when the shared counters cannot be reached */
  check(): Promise<void>;
  close(): Promise<void>;
}

type MakeCounter = (options: {
  keyPrefix: string;
  points: number;
  duration: number;
}) => RateLimiterAbstract;

/** One counter for each kind of window, created on first use. */
export function createRateLimiter(makeCounter: MakeCounter): RateLimiter {
  const counters = new Map<string, RateLimiterAbstract>();

  return {
    async consume(window) {
      try {
        const counted = await counterOf(window).consume(window.customerKey);
        return { ...toStatus(window, counted), allowed: true };
      } catch (full) {
        // When the limit is exceeded, the library rejects with the state of the window.
        if (!(full instanceof RateLimiterRes)) throw full;
        return { ...toStatus(window, full), allowed: false };
      }
    },

    async peek(window) {
      const counted = await counterOf(window).get(window.customerKey);
      return counted
        ? toStatus(window, counted)
        : { limit: window.limit, remaining: window.limit, resetSeconds: WINDOW_SECONDS };
    },
  };

  function counterOf({ name, limit }: RateWindow): RateLimiterAbstract {
    const known = counters.get(name);
    if (known) return known;
    const counter = makeCounter({
      keyPrefix: `filequery:rate:${name}`,
      points: limit,
      duration: WINDOW_SECONDS,
    });
    counters.set(name, counter);
    return counter;
  }
}

function toStatus(
  { limit }: RateWindow,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
): RateStatus {
  return {
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}
