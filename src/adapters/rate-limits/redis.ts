import { once } from 'node:events';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { reasonOf } from '../../core/reason-of.ts';
import { type ClosableRateLimiter, createRateLimiter } from './rate-limiter.ts';

/** Milliseconds before Redis counts as unavailable: a request must not wait for its counter. */
const REDIS_TIMEOUT_MS = 500;
/** Milliseconds before a connection attempt times out. */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * Rate limits that several gateways share through Redis or Valkey. While Redis is unavailable, each
 * gateway counts for itself. `onAway` and `onBack` are called once per outage.
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
  let isClosed = false;
  let attempts = 0;
  const reportAway = (error: unknown) => {
    // What is still running when the connection is closed fails.
    if (isClosed) return;
    if (!away) onAway(reasonOf(error));
    away = true;
  };
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Closes the connection as well: until it is ready again, no request waits for it.
    socketTimeout: REDIS_TIMEOUT_MS,
    // Counted here: for the library, a Redis that refuses to count is a success each time.
    retryStrategy: () => Math.min(++attempts * 100, 2000),
    reconnectOnError(error) {
      // The library handles this by sending the script.
      if (error.message.startsWith('NOSCRIPT')) return false;
      reportAway(error);
      return true;
    },
  });
  client.on('error', reportAway);
  const probe = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: 'filequery:rate:probe',
    points: Number.MAX_SAFE_INTEGER,
    duration: 1,
  });
  client.on('ready', async () => {
    try {
      await count();
    } catch (error) {
      // The library connects again.
      return reportAway(error);
    }
    if (away) onBack();
    away = false;
    attempts = 0;
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
        const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
        if (client.status !== 'ready') await once(client, 'ready', { signal });
        await count();
      } catch (error) {
        throw new Error(explain(reasonOf(error)));
      }
    },
    async close() {
      isClosed = true;
      client.disconnect();
    },
  };

  /** A Redis that can be connected to may refuse to count, such as a replica, or one without memory. */
  async function count(): Promise<void> {
    // The library goes on with database 0 when the one of the URL is missing. Some servers have no
    // SELECT, so it is not sent for database 0.
    if (client.options.db) await client.select(client.options.db);
    await probe.consume('');
  }
}

const REMEDIES: [pattern: RegExp, remedy: string][] = [
  [/ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|timeout/, 'start Redis there, or correct the address'],
  [/ENOTFOUND|EAI_AGAIN/, 'correct its host name'],
  [/WRONGPASS/, 'correct its user and password'],
  [/^OOM/, 'give it more memory'],
  [/DB index/, 'correct the number of the database, or raise the setting databases of Redis'],
  [/READONLY/, 'use the address of the primary'],
  [/NOAUTH/, 'add the password: redis://:PASSWORD@HOST:PORT'],
  [/certificate|CERT|wrong version number|SSL/i, 'use rediss:// with TLS, redis:// without'],
];

function explain(reason: string): string {
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(reason)) ?? [];
  return `REDIS_URL: Redis cannot be used: ${reason}${remedy ? `: ${remedy}` : ''}`;
}
