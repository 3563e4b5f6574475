import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pRetry from 'p-retry';
import { expiryOf } from './expiry.ts';
import { chainOf, StorageFailure } from './storage-failure.ts';
import { BodyError, type IdleLimit, startIdleLimit } from './transfers.ts';

/** Timeouts and retry delays, in milliseconds. */
export interface CallTimeouts {
  /** For a small call. */
  timeoutMs: number;
  /** For an upload or a download, without progress. */
  idleTimeoutMs: number;
  /** Minimum delay before the first retry; it triples with each one after it, ... */
  retryDelayMs: number;
  /** ... up to this. */
  maxRetryDelayMs: number;
}

const DEFAULT_TIMEOUTS: CallTimeouts = {
  timeoutMs: 15_000,
  idleTimeoutMs: 60_000,
  retryDelayMs: 200,
  maxRetryDelayMs: 5000,
};

/** For calls that a client waits for; enough to survive a restart of 15 seconds. */
const ATTEMPTS = 8;
/** For calls that are repeated later anyway. */
const FEW_ATTEMPTS = 4;
/** Milliseconds after which no attempt is started. */
const RETRY_TIMEOUT_MS = { call: 30_000, transfer: 10 * 60_000 };

type StorageClient = SupabaseClient['storage'];
/** What the client's methods return: errors are returned, not thrown. */
type Answer<T> = PromiseLike<{ data: T | null; error: Error | null }>;

export type Calls = ReturnType<typeof createCalls>;

/**
 * Calls to Supabase Storage with timeouts and retries, which its client does not have. Transient
 * failures are retried, so every call must be idempotent. Calls throw `StorageFailure`, or the reason
 * of the signal.
 */
export function createCalls(
  { url, secretKey }: { url: string; secretKey: string },
  timeouts: Partial<CallTimeouts> = {},
) {
  const { timeoutMs, idleTimeoutMs, retryDelayMs, maxRetryDelayMs } = {
    ...DEFAULT_TIMEOUTS,
    ...timeouts,
  };
  return { callOnce, call, callBriefly, transfer };

  /** A small call without retries. */
  function callOnce<T>(what: string, request: (storage: StorageClient) => Answer<T>): Promise<T> {
    return attempt(what, request, AbortSignal.timeout(timeoutMs));
  }

  /** A small call with retries. */
  function call<T>(what: string, request: (storage: StorageClient) => Answer<T>): Promise<T> {
    return retry(() => callOnce(what, request), {
      attempts: ATTEMPTS,
      retryTimeoutMs: RETRY_TIMEOUT_MS.call,
    });
  }

  /** A small call with few retries, because the caller repeats it later. */
  function callBriefly<T>(
    what: string,
    request: (storage: StorageClient) => Answer<T>,
  ): Promise<T> {
    return retry(() => callOnce(what, request), {
      attempts: FEW_ATTEMPTS,
      retryTimeoutMs: RETRY_TIMEOUT_MS.call,
    });
  }

  /** An upload or a download: it may take any time while it makes progress. */
  function transfer<T>(
    what: string,
    request: (storage: StorageClient, idle: IdleLimit) => Answer<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const begin = async () => {
      const idle = startIdleLimit(idleTimeoutMs);
      const either = signal ? AbortSignal.any([idle.signal, signal]) : idle.signal;
      try {
        return await attempt(what, (storage) => request(storage, idle), either);
      } finally {
        idle.pause();
      }
    };
    return retry(begin, {
      attempts: ATTEMPTS,
      retryTimeoutMs: RETRY_TIMEOUT_MS.transfer,
      signal,
    });
  }

  function retry<T>(
    begin: () => Promise<T>,
    {
      attempts,
      retryTimeoutMs,
      signal,
    }: { attempts: number; retryTimeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<T> {
    return pRetry(begin, {
      retries: attempts - 1,
      minTimeout: retryDelayMs,
      maxTimeout: Math.max(retryDelayMs, maxRetryDelayMs),
      factor: 3,
      randomize: true,
      maxRetryTime: retryTimeoutMs,
      shouldRetry: ({ error }) => error instanceof StorageFailure && error.transient,
      signal,
    });
  }

  async function attempt<T>(
    what: string,
    request: (storage: StorageClient) => Answer<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { data, error } = await request(connect(signal));
    if (data !== null) return data;
    const unreadable = chainOf(error).find((inner) => inner instanceof BodyError);
    if (unreadable) throw unreadable.cause;
    const failure = new StorageFailure(what, error ?? new Error('an empty answer'));
    throw expiryOf(secretKey, failure) ?? failure;
  }

  /** A client for one call, which takes 0.1 ms: only its `fetch` accepts a signal. */
  function connect(signal: AbortSignal): StorageClient {
    const client = createClient(url, secretKey, {
      // Replaces the client's sessions, which a server does not need.
      accessToken: async () => secretKey,
      global: {
        // Following a redirect would send the key to another server.
        fetch: (input, init) => fetch(input, { ...init, signal, redirect: 'manual' }),
      },
    });
    return client.storage;
  }
}
