import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolConfig } from 'pg';
import { reasonOf } from '../../core/reason-of.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { ChangeNotices } from '../../ports/change-notices.ts';
import type { Query } from '../../ports/query.ts';
import { type Listener, openListener } from './listener.ts';

export interface ChangeNoticesOptions {
  /** For the connection that listens; it must bypass a pooler in transaction mode. */
  connection: PoolConfig;
  pool: Pool;
  query: Query;
  /** Whether triggers run, and notify, on other servers than the one it can listen to: it polls. */
  isDistributed: boolean;
  /** Milliseconds between two polls while listening does not work. */
  pollMs: number;
  /** Called with the reason each time polling replaces listening. */
  onPolling: (reason: string) => void;
  /** Called each time listening replaces polling. */
  onListening: () => void;
}

export interface ClosableChangeNotices extends ChangeNotices {
  close(): Promise<void>;
}

/** Triggers notify this channel, with the key of a customer. */
const CHANNEL = 'filequery_changes';
/** Failed attempts to listen are repeated after 1, 2, 4 ... seconds, then every minute. */
const RETRY_MS = { first: 1000, most: 60_000 };

/**
 * Notices of changes, by PostgreSQL's LISTEN on one connection, which is opened for the first
 * subscriber. While LISTEN does not work, and on a distributed database, the versions of the
 * subscribers' data are polled.
 */
export function createChangeNotices(options: ChangeNoticesOptions): ClosableChangeNotices {
  const { query, pollMs, isDistributed, onPolling, onListening } = options;
  const subscribers = new Map<number, Set<() => void>>();
  /** The last polled versions, by customer. */
  const polled = new Map<number, string>();
  const closing = new AbortController();
  const { signal } = closing;
  let running: Promise<void> | undefined;

  return {
    subscribe(customerKey, onNotice) {
      const ofCustomer = subscribers.get(customerKey) ?? new Set();
      subscribers.set(customerKey, ofCustomer);
      // Wrapped, because a set holds the same function only once.
      const subscriber = () => onNotice();
      ofCustomer.add(subscriber);
      running ??= isDistributed ? pollFor(Number.POSITIVE_INFINITY) : run();
      return () => {
        ofCustomer.delete(subscriber);
        if (ofCustomer.size > 0 || subscribers.get(customerKey) !== ofCustomer) return;
        subscribers.delete(customerKey);
        polled.delete(customerKey);
      };
    },

    async close() {
      closing.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    let retryMs = RETRY_MS.first;
    let isPolling = false;
    while (!signal.aborted) {
      let reason = 'the connection has ended';
      try {
        const listener = await openListener({ ...options, channel: CHANNEL, onNotice: notify });
        if (isPolling) onListening();
        isPolling = false;
        retryMs = RETRY_MS.first;
        polled.clear();
        // Changes that were committed before it listened.
        notifyAll();
        await closed(listener);
      } catch (error) {
        reason = reasonOf(error);
      }
      if (signal.aborted) return;
      if (!isPolling) onPolling(reason);
      isPolling = true;
      await pollFor(retryMs);
      retryMs = Math.min(2 * retryMs, RETRY_MS.most);
    }
  }

  async function closed({ ended, close }: Listener): Promise<void> {
    signal.addEventListener('abort', close);
    if (signal.aborted) close();
    await ended;
    signal.removeEventListener('abort', close);
  }

  async function pollFor(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!signal.aborted && performance.now() < end) {
      // While the database is unavailable, nothing can be read.
      await poll().catch(() => {});
      const pause = Math.max(0, Math.min(pollMs, end - performance.now()));
      await setTimeout(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async function poll(): Promise<void> {
    if (subscribers.size === 0) return;
    const rows = await query<{ customerKey: number; versions: string }>(Prisma.sql`
      SELECT customer_key AS "customerKey", concat(count(*), ':', sum(version)) AS versions
      FROM (SELECT customer_key, version FROM dataset
        UNION ALL SELECT customer_key, version FROM ingestion) AS versions
      WHERE customer_key = ANY (${[...subscribers.keys()]}::int[])
      GROUP BY customer_key`);
    for (const { customerKey, versions } of rows) {
      if (polled.get(customerKey) === versions) continue;
      polled.set(customerKey, versions);
      notify(customerKey);
    }
  }

  function notify(customerKey: number | string): void {
    for (const subscriber of subscribers.get(Number(customerKey)) ?? []) subscriber();
  }

  function notifyAll(): void {
    for (const customerKey of subscribers.keys()) notify(customerKey);
  }
}
