import { createAttempts } from './attempts.ts';
import { errorOf, graphqlError, notFilequery, unreachable } from './client-errors.ts';
import { type Credential, createCredentials } from './credentials.ts';

export interface ConnectionOptions {
  /** The address of the gateway, such as `https://files.example.com`; in a page, it may be relative. */
  url: string;
  /** A function is called again when its token has expired. */
  credential: Credential;
  /**
   * How often a request is sent again after a temporary failure; 4 by default. While the first attempt of a
   * paid request is still running, waiting for it does not count; only `signal` ends that.
   */
  retries?: number;
  /** Sends the requests; by default the global `fetch`. Uploads in browsers use XMLHttpRequest instead. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /**
   * Cancels the request, its retries and its waits; the call rejects with the reason of the signal. What the
   * gateway has begun may still be completed and paid.
   */
  signal?: AbortSignal | undefined;
  /**
   * Identifies a request that costs something or must not be done twice: a repeat with the same key gets the
   * same response. By default, `upload`, `search`, `ask` and `createToken` use a new key for each call.
   */
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

/** Sends requests with the credential, and repeats them when that is safe and may help. */
export function createConnection({ url, credential, retries = 4, fetch }: ConnectionOptions) {
  const credentials = createCredentials(credential);
  const base = url.replace(/\/+$/, '');
  const fetchOne = fetch ?? globalThis.fetch.bind(globalThis);
  return { begin, sendOnce, json, graphql, operate, forward, fetchOne };

  function begin({ signal, idempotencyKey }: RequestOptions) {
    return createAttempts({ credentials, retries, signal, isPaid: idempotencyKey !== undefined });
  }

  /** One attempt, with a response of any status. @throws FilequeryError without one */
  function deliver(sent: Sent, credential: string): Promise<Response> {
    const { method, path, body, signal, idempotencyKey, send = fetchOne } = sent;
    const headers = {
      ...sent.headers,
      authorization: `Bearer ${credential}`,
      // An empty one, too: the gateway refuses it, and a retry without one would be paid again.
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    return receive(() => send(`${base}${path}`, { method, headers, body, signal }), signal);
  }

  /** One attempt. @throws FilequeryError for every response that is no success, and without one */
  async function sendOnce(sent: Sent, credential: string): Promise<Response> {
    const response = await deliver(sent, credential);
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  /**
   * The JSON of the response.
   *
   * @param field what every gateway puts into this response
   * @param whenGone what a 404 means for a request that may have been carried out before
   */
  function json<T extends object>(sent: Sent, field: keyof T, whenGone?: T): Promise<T> {
    return untilRead(sent, (response) => readJson<T>(response, [field], sent.signal), whenGone);
  }

  /** The data of a GraphQL query. @throws FilequeryError also when a field failed */
  function graphql<T>(document: string, variables: object, signal?: AbortSignal): Promise<T> {
    const body = JSON.stringify({ query: document, variables });
    return operate<T>({ headers: { 'content-type': 'application/json' }, body, signal });
  }

  /** The same for an operation with any kind of body, such as one with files. */
  function operate<T>(form: Omit<Sent, 'method' | 'path'>): Promise<T> {
    const headers = { ...form.headers, accept: 'application/json' };
    return untilRead({ ...form, method: 'POST', path: '/graphql', headers }, async (response) =>
      dataOf(await readJson<GraphqlReply<T>>(response, ['data', 'errors'], form.signal)),
    );
  }

  /** Sends a request once, and after a 401 once more with a new credential; returns any response. */
  async function forward(sent: Sent): Promise<Response> {
    const attempts = begin({ signal: sent.signal });
    for (;;) {
      const response = await deliver(sent, await attempts.credential());
      if (response.status !== 401) return response;
      const refusal = await errorOf(response.clone());
      const isAgain = await attempts.failed(refusal).then(
        () => true,
        () => false,
      );
      if (!isAgain) return response;
      await response.body?.cancel();
    }
  }

  async function untilRead<T>(
    sent: Sent,
    read: (response: Response) => Promise<T>,
    whenGone?: T,
  ): Promise<T> {
    const attempts = begin(sent);
    for (;;) {
      const credential = await attempts.credential();
      try {
        return await read(await sendOnce(sent, credential));
      } catch (error) {
        if (whenGone && attempts.mayBeDone() && isGone(error)) return whenGone;
        await attempts.failed(error);
      }
    }
  }
}

export interface GraphqlReply<T> {
  data: T;
  errors?: { message: string; extensions?: Record<string, unknown> }[];
}

/** @throws FilequeryError even if a part of the data is there */
export function dataOf<T>({ data, errors }: GraphqlReply<T>): T {
  if (errors?.[0]) throw graphqlError(errors[0]);
  return data;
}

/** @throws FilequeryError also when the JSON has none of the fields: another server sent it */
async function readJson<T extends object>(
  response: Response,
  fields: (keyof T)[],
  signal: AbortSignal | undefined,
): Promise<T> {
  const text = await receive(() => response.text(), signal);
  const value = parse(text, response.status);
  if (fields.some((field) => Object(value)[field] !== undefined)) return value as T;
  throw notFilequery(response.status);
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notFilequery(status, error);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FILE_NOT_FOUND';
}

/**
 * The result of `work`. A failed connection is thrown as a `FilequeryError`; an abort, and the error of a file
 * that cannot be read while it is sent, are thrown unchanged.
 */
export async function receive<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw unreadableFile(error) ?? unreachable(error);
  }
}

/**
 * For example, a file that has changed since it was chosen: `fetch` throws an error whose cause is the error
 * of the file.
 */
function unreadableFile(error: unknown): Error | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one.name === 'NotReadableError') return one;
  }
  return undefined;
}

/** A key for one request. `crypto.randomUUID` is missing on pages without HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
