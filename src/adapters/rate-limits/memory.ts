import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type ClosableRateLimiter, createRateLimiter } from './rate-limiter.ts';

/** Rate limits that are counted in this process. */
export function createMemoryRateLimiter(): ClosableRateLimiter {
  const limiter = createRateLimiter((options) => new RateLimiterMemory(options));
  return { ...limiter, check: async () => {}, close: async () => {} };
}
