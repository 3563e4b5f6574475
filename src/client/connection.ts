import { createAttempts } from './attempts.ts';
import { type Credential, createCredentials } from './credentials.ts';
import { errorOf, networkError } from './errors.ts';

export interface ConnectionOptions {
  /** The address of the gateway, such as `https://files.example.com`. */
  url: string;
  /** A function is called again when its token has expired. */
  credential: Credential;
  /** How often a request is sent again after a failure that may pass; 4 by default. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Of a request that costs something or must not be done twice. */
  idempotencyKey?: string | undefined;
}

export interface Sent extends RequestOptions {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the address of the gateway. */
  path: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  /** Sends one attempt; by default with `fetch`. */
  send?: (url: string, init: RequestInit) => Promise<Response>;
}

export type Connection = ReturnType<typeof createConnection>;

/** Sends requests with the credential, again when that is safe and may help. */
export function createConnection({ url, credential, retries = 4, fetch }: ConnectionOptions) {
  const credentials = createCredentials(credential);
  const base = url.replace(/\/+$/, '');
  const fetchOne = fetch ?? globalThis.fetch.bind(globalThis);
  return { begin, once, json };

  function begin({ signal, idempotencyKey }: RequestOptions) {
    return createAttempts({ credentials, retries, signal, isPaid: idempotencyKey !== undefined });
  }

  /** One attempt. @throws FilequeryError for every response that is no success, and without one */
  async function once(sent: Sent, credential: string): Promise<Response> {
    const { method, path, body, signal, idempotencyKey, send = fetchOne } = sent;
    const headers = {
      ...sent.headers,
      authorization: `Bearer ${credential}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const init = { method, headers, body, signal };
    const response = await receive(() => send(`${base}${path}`, init), signal);
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  /**
   * The JSON of the response.
   *
   * @param whenGone what a 404 means for a request that may have been carried out before
   */
  async function json<T>(sent: Sent, whenGone?: T): Promise<T> {
    const attempts = begin(sent);
    for (;;) {
      const credential = await attempts.credential();
      try {
        const response = await once(sent, credential);
        return await receive(() => response.json() as Promise<T>, sent.signal);
      } catch (error) {
        if (whenGone && attempts.mayBeDone() && isGone(error)) return whenGone;
        await attempts.failed(error);
      }
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FILE_NOT_FOUND';
}

/** What arrives; a failure of the connection is a `FilequeryError`, an abort stays what it is. */
export async function receive<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw networkError(error);
  }
}

/** A key for one request. `crypto.randomUUID` is missing on pages without HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
