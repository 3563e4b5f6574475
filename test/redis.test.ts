import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisRateLimiter } from '../src/adapters/rate-limits/redis.ts';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { startBeside, type TestGateway } from './support/gateway.ts';
import { HAS_REDIS, type RedisServer, startRedis } from './support/redis.ts';

/* Rate limits that gateways count together in a real Redis, and what they do without it. */

const LIMIT = 10;

describe.runIf(HAS_REDIS)('two gateways on one Redis', () => {
  let redis: RedisServer;
  let gateways: [TestGateway, TestGateway];

  beforeAll(async () => {
    redis = await startRedis();
    const settings = { REDIS_URL: redis.url };
    gateways = await Promise.all([startBeside(settings), startBeside(settings)]);
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
    await redis.close();
  });

  it('200 as often as a window lets in together, then 429 from both', async () => {
    const callers = await newCaller();
    const replies = [];
    for (let at = 0; at < LIMIT; at++) replies.push(await purge(callers, at));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.map(({ left }) => left)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (const at of [0, 1]) {
      const { status, headers, body } = await purge(callers, at);
      expect({ status, body }).toEqual({ status: 429, body: { error: 'Rate limit exceeded' } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
    }
  });

  it('429 to all but ten of forty that call both at once', async () => {
    const callers = await newCaller();
    const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => purge(callers, at)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  });

  it('a refused call tells where the window stands, and does not count', async () => {
    const [one, other] = await newCaller();
    await purge([one, other], 0);
    const { headers } = await other.rest('DELETE', `/datasets/${'d'.repeat(101)}/files`);
    expect(headers.get('x-ratelimit-remaining')).toBe('9');
  });

  it('200 while Redis is away, each counting for itself, and together again when it is back', async () => {
    const callers = await newCaller();
    await redis.away();
    const replies = [];
    for (let at = 0; at < 4; at++) replies.push(await purge(callers, at));
    expect(replies.map(({ status, left }) => [status, left])).toEqual([
      [200, 9],
      [200, 9],
      [200, 8],
      [200, 8],
    ]);
    for (const gateway of gateways) {
      const ready = await gateway.fetch(new Request('http://filequery.test/ready'));
      expect(ready.status).toBe(200);
    }

    await redis.back();
    // It is tried again every two seconds at the latest.
    await expect.poll(() => purge(callers, 0), { timeout: 5000 }).toMatchObject({ left: 9 });
    await expect.poll(() => purge(callers, 1), { timeout: 5000 }).toMatchObject({ left: 8 });
  });

  it('a Redis that does not answer holds nobody up', async () => {
    const callers = await newCaller();
    redis.stall();
    const started = performance.now();
    const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => purge(callers, at)));
    expect(performance.now() - started).toBeLessThan(2000);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const again = performance.now();
    await purge(callers, 0);
    expect(performance.now() - again).toBeLessThan(400);
    redis.go();
  });

  /** A customer as each of the gateways knows it. */
  async function newCaller(): Promise<[Client, Client]> {
    const { apiKey } = await newCustomer(gateways[0]);
    return [createClient(gateways[0], apiKey), createClient(gateways[1], apiKey)];
  }

  /** Call number so many, of the gateways in turn. */
  async function purge(callers: [Client, Client], at: number) {
    const reply = await callers[at % 2 === 0 ? 0 : 1].rest('DELETE', '/datasets/none/files');
    return { ...reply, left: Number(reply.headers.get('x-ratelimit-remaining')) };
  }
});

describe.runIf(HAS_REDIS)('the operator', () => {
  /** A rate limiter, and what the operator is told about its Redis. */
  function limit(url: string, told: string[] = []) {
    const limiter = createRedisRateLimiter({
      url,
      onAway: (reason) => told.push(`away: ${reason}`),
      onBack: () => told.push('back'),
    });
    return { limiter, told };
  }

  it('is told once that Redis is away, and once that it is back', async () => {
    const redis = await startRedis();
    const { limiter, told } = limit(redis.url);
    const consume = () => limiter.consume({ customerKey: 1, name: 'test', limit: 100 });
    expect(await limiter.check()).toBeUndefined();
    expect(await consume()).toMatchObject({ remaining: 99 });
    await redis.away();
    for (let at = 0; at < 5; at++) {
      expect(await consume()).toMatchObject({ allowed: true });
      await pause(50);
    }
    await expect(limiter.check()).rejects.toThrow(
      /^REDIS_URL: .*ECONNREFUSED.*: start Redis there, or correct the address$/,
    );
    await redis.back();
    await expect.poll(() => told.at(-1), { timeout: 5000 }).toBe('back');
    expect(told).toEqual([expect.stringMatching(/^away: ./), 'back']);
    await limiter.close();
    await redis.close();
  });

  it('is told once that Redis refuses to count, and once that it counts again', async () => {
    const redis = await startRedis();
    const { limiter, told } = limit(redis.url);
    const consume = () => limiter.consume({ customerKey: 1, name: 'test', limit: 100 });
    await limiter.check();
    await redis.set('maxmemory', 1);
    // Long enough for several connections to it.
    for (let at = 0; at < 20; at++) {
      expect(await consume()).toMatchObject({ allowed: true });
      await pause(50);
    }
    const doctor = limit(redis.url).limiter;
    await expect(doctor.check()).rejects.toThrow(
      /^REDIS_URL: Redis cannot be used: OOM .*: give it more memory$/,
    );
    await doctor.close();
    expect(told).toEqual([expect.stringMatching(/^away: OOM /)]);
    await redis.set('maxmemory', 0);
    await expect.poll(() => told.at(-1), { timeout: 5000 }).toBe('back');
    expect(told).toHaveLength(2);
    await limiter.close();
    await redis.close();
  });

  it('is told once that Redis does not have the database of the URL', async () => {
    const redis = await startRedis();
    const { limiter, told } = limit(`${redis.url}/99`);
    await expect(limiter.check()).rejects.toThrow(
      /^REDIS_URL: Redis cannot be used: ERR DB index .*: correct the number of the database/,
    );
    // The connection is made again meanwhile.
    for (let at = 0; at < 20; at++) {
      await limiter.consume({ customerKey: 1, name: 'test', limit: 100 });
      await pause(50);
    }
    expect(told).toEqual([expect.stringMatching(/^away: ERR DB index/)]);
    await limiter.close();
    await redis.close();
  });

  it('is told nothing when the gateway closes the connection itself, even before it is used', async () => {
    const redis = await startRedis();
    const told: string[] = [];
    // The moment at which it is closed decides what the connection is doing.
    for (let turn = 0; turn < 40; turn++) {
      const { limiter } = limit(redis.url, told);
      await pause(turn / 8);
      await limiter.close();
    }
    await pause(100);
    expect(told).toEqual([]);
    await redis.close();
  });
});
