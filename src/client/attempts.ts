import { FilequeryError } from './client-errors.ts';
import type { Credentials } from './credentials.ts';

export interface AttemptsOptions {
  credentials: Credentials;
  /**
   * How often a request is sent again, at most. Waiting for the end of an earlier attempt does not count; but
   * 0 means that there is no waiting either.
   */
  retries: number;
  signal?: AbortSignal | undefined;
  /**
   * Whether the request costs something. It has an idempotency key then, which belongs to its
   * credential: after an attempt that may have been paid, it is sent with the same one only.
   */
  isPaid: boolean;
}

/** The attempts of one request. */
export interface Attempts {
  /** The credential of the next attempt. */
  credential(): Promise<string>;
  /** Whether an earlier attempt may have been carried out. */
  mayBeDone(): boolean;
  /** Waits until the next attempt is due, or throws the error when there is none. */
  failed(error: unknown): Promise<void>;
}

export function createAttempts({
  credentials,
  retries,
  signal,
  isPaid,
}: AttemptsOptions): Attempts {
  let left = retries;
  let delay = FIRST_DELAY_MS;
  let credential: string | undefined;
  let isRefreshed = false;
  let mayBeDone = false;

  return {
    async credential() {
      signal?.throwIfAborted();
      credential ??= await untilAborted(credentials.current(), signal);
      return credential;
    },
    mayBeDone: () => mayBeDone,
    async failed(error) {
      signal?.throwIfAborted();
      if (!(error instanceof FilequeryError)) throw error;
      if (await refresh(error)) return;
      // The paid work continues, however long it takes: to give up would lose its answer.
      const isRunning = error.code === 'IDEMPOTENCY_KEY_IN_USE';
      if ((isRunning ? retries : left) === 0 || !isPassing(error)) throw error;
      if (!isRunning) left--;
      mayBeDone ||= isUncertain(error);
      const { retryAfterSeconds } = error.details;
      const asked = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 0;
      if (asked > LONGEST_WAIT_MS) throw error;
      await wait(Math.max(asked, delay * (0.5 + Math.random() / 2)), signal);
      delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    },
  };

  /** Only once: a new credential that is also refused does not help. */
  async function refresh({ code, status }: FilequeryError): Promise<boolean> {
    const isRefused = status === 401 || code === 'TOKEN_EXPIRED' || code === 'INVALID_CREDENTIAL';
    if (!isRefused || isRefreshed || (isPaid && mayBeDone)) return false;
    isRefreshed = true;
    credential = await untilAborted(credentials.refresh(credential ?? ''), signal);
    return credential !== undefined;
  }
}

const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 10_000;
/** A rate window is a minute long. */
const LONGEST_WAIT_MS = 61_000;

/** Codes of temporary failures. */
const PASSING = ['RATE_LIMITED', 'UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE', 'NETWORK'];

function isPassing({ code }: FilequeryError): boolean {
  return PASSING.includes(code) || /^HTTP_(429|502|503|504)$/.test(code);
}

/**
 * Whether a request that failed with this code may have been carried out. The other codes of the gateway
 * mean that it was not.
 */
export function isUncertain({ code }: Pick<FilequeryError, 'code'>): boolean {
  return /^(NETWORK|IDEMPOTENCY_KEY_IN_USE|HTTP_50[234])$/.test(code);
}

/** What the work gives, unless the signal aborts before. */
function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
