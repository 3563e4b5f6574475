import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pRetry from 'p-retry';
import { expiryOf } from './expiry.ts';
import { chainOf, StorageFailure } from './storage-failure.ts';
import { BodyError, type IdleLimit, limitIdling } from './transfers.ts';

/** How long to wait for what, in milliseconds. */
export interface CallTimeouts {
  /** A small call ends after this. */
  timeoutMs: number;
  /** An upload or a download ends when none of its bytes moved for this long. */
  idleTimeoutMs: number;
  /** The least pause before a second attempt; those after it are three times as long each, ... */
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

/** Of what a client waits for: they outlast a restart of 15 seconds. */
const ATTEMPTS = 8;
/** Of what is done again later. */
const FEW_ATTEMPTS = 4;
/** No further attempt begins after this. */
const RETRY_TIMEOUT_MS = { call: 30_000, transfer: 10 * 60_000 };

type StorageClient = SupabaseClient['storage'];
/** What the client's methods answer: errors are handed back, not thrown. */
type Answer<T> = PromiseLike<{ data: T | null; error: Error | null }>;

export type Calls = ReturnType<typeof createCalls>;

/**
 * Calls to Supabase Storage that end: its client has no time-out and no retry. What failed in
 * passing is called again, so every call must be one that may be made twice.
 * They throw `StorageFailure`, or the signal's reason.
 */
export function createCalls(
  { url, secretKey }: { url: string; secretKey: string },
  timeouts: Partial<CallTimeouts> = {},
) {
  const { timeoutMs, idleTimeoutMs, retryDelayMs, maxRetryDelayMs } = {
    ...DEFAULT_TIMEOUTS,
    ...timeouts,
  };
  return { once, ask, askBriefly, transfer };

  /** A small call, made once. */
  function once<T>(what: string, call: (storage: StorageClient) => Answer<T>): Promise<T> {
    return attempt(what, call, AbortSignal.timeout(timeoutMs));
  }

  /** A small call. */
  function ask<T>(what: string, call: (storage: StorageClient) => Answer<T>): Promise<T> {
    return persist(() => once(what, call), {
      attempts: ATTEMPTS,
      retryTimeoutMs: RETRY_TIMEOUT_MS.call,
    });
  }

  /** A small call that somebody makes again later. */
  function askBriefly<T>(what: string, call: (storage: StorageClient) => Answer<T>): Promise<T> {
    return persist(() => once(what, call), {
      attempts: FEW_ATTEMPTS,
      retryTimeoutMs: RETRY_TIMEOUT_MS.call,
    });
  }

  /** A call that may go on for as long as bytes move. */
  function transfer<T>(
    what: string,
    call: (storage: StorageClient, idle: IdleLimit) => Answer<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const begin = async () => {
      const idle = limitIdling(idleTimeoutMs);
      const either = signal ? AbortSignal.any([idle.signal, signal]) : idle.signal;
      try {
        return await attempt(what, (storage) => call(storage, idle), either);
      } finally {
        idle.rest();
      }
    };
    return persist(begin, {
      attempts: ATTEMPTS,
      retryTimeoutMs: RETRY_TIMEOUT_MS.transfer,
      signal,
    });
  }

  function persist<T>(
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
      shouldRetry: ({ error }) => error instanceof StorageFailure && error.passing,
      signal,
    });
  }

  async function attempt<T>(
    what: string,
    call: (storage: StorageClient) => Answer<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { data, error } = await call(connect(signal));
    if (data !== null) return data;
    const unreadable = chainOf(error).find((inner) => inner instanceof BodyError);
    if (unreadable) throw unreadable.cause;
    const failure = new StorageFailure(what, error ?? new Error('an empty answer'));
    throw expiryOf(secretKey, failure) ?? failure;
  }

  /** A client for one call (a tenth of a millisecond): its `fetch` is the only way in for a signal. */
  function connect(signal: AbortSignal): StorageClient {
    const client = createClient(url, secretKey, {
      // Instead of sessions, which a server does not have.
      accessToken: async () => secretKey,
      global: {
        // A redirect would carry the key to wherever it leads.
        fetch: (input, init) => fetch(input, { ...init, signal, redirect: 'manual' }),
      },
    });
    return client.storage;
  }
}
