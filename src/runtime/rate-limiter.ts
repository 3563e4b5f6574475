import type { ClosableRateLimiter } from '../adapters/rate-limits/rate-limiter.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';

/** The rate limiter of the settings. */
export async function openRateLimiter(
  { rateLimits }: Config,
  log: Log,
): Promise<ClosableRateLimiter> {
  switch (rateLimits.kind) {
    case 'memory': {
      const { createMemoryRateLimiter } = await import('../adapters/rate-limits/memory.ts');
      return createMemoryRateLimiter();
    }
    case 'redis': {
      const { createRedisRateLimiter } = await import('../adapters/rate-limits/redis.ts');
      return createRedisRateLimiter({
        url: rateLimits.url,
        onAway: (reason) => log.warn({ reason }, 'Redis is away: this gateway counts for itself'),
        onBack: () => log.info({}, 'Redis is back: gateways count together'),
      });
    }
  }
}
