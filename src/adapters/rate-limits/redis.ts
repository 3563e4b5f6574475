import { once } from 'node:events';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { reasonOf } from '../../core/reason-of.ts';
import { type ClosableRateLimiter, createRateLimiter } from './memory.ts';

/** A Redis that does not answer by then counts as away: a request must not wait for its counter. */
const REDIS_TIMEOUT_MS = 500;
const CONNECT_MS = 5000;

/**
 * Rate windows that several gateways count together in Redis or Valkey. While it is away each
 * counts for itself; that is told once, as is its return.
 */
export function createRedisRateLimiter({
  url,
  onAway,
  onBack,
}: {
  url: string;
  onAway: (reason: string) => void;
  onBack: () => void;
}): ClosableRateLimiter {
  let away = false;
  const tellAway = (error: unknown) => {
    if (!away) onAway(reasonOf(error));
    away = true;
  };
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    // The connection is given up, too: until it is ready anew, nobody waits for it.
    socketTimeout: REDIS_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
    reconnectOnError(error) {
      // The library then sends the script itself.
      if (error.message.startsWith('NOSCRIPT')) return false;
      tellAway(error);
      return true;
    },
  });
  client.on('error', tellAway);
  client.on('ready', () => {
    if (away) onBack();
    away = false;
  });

  return {
    ...createRateLimiter(
      (options) =>
        new RateLimiterRedis({
          ...options,
          storeClient: client,
          rejectIfRedisNotReady: true,
          insuranceLimiter: new RateLimiterMemory(options),
        }),
    ),
    async check() {
      try {
        const signal = AbortSignal.timeout(CONNECT_MS);
        if (client.status !== 'ready') await once(client, 'ready', { signal });
        await client.ping();
      } catch (error) {
        throw new Error(explain(reasonOf(error)));
      }
    },
    close: async () => client.disconnect(),
  };
}

const CURES: [sign: RegExp, cure: string][] = [
  [/ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|timeout/, 'start Redis there, or correct the address'],
  [/ENOTFOUND|EAI_AGAIN/, 'correct the name of the host in it'],
  [/WRONGPASS/, 'correct the user and the password in it'],
  [/NOAUTH/, 'put the password into it, redis://:PASSWORD@HOST:PORT'],
  [/certificate|CERT|wrong version number|SSL/i, 'rediss:// is with TLS, redis:// without'],
];

function explain(reason: string): string {
  const [, cure] = CURES.find(([sign]) => sign.test(reason)) ?? [];
  return `REDIS_URL: Redis cannot be used: ${reason}${cure ? `: ${cure}` : ''}`;
}
