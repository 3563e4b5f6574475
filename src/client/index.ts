/* A client of a gateway, for browsers and Node.js: it needs `fetch` and nothing else. */

import { type AskOptions, ask } from './ask.ts';
import { checkOptions } from './check-options.ts';
import {
  type ConnectionOptions,
  createConnection,
  newIdempotencyKey,
  type RequestOptions,
} from './connection.ts';
import { download } from './download.ts';
import { type ListOptions, list } from './list.ts';
import { query } from './query.ts';
import type {
  AnswerEvent,
  Filter,
  FilterGroup,
  LinkedFile,
  ListedFile,
  SearchHit,
  StoredFile,
  Uploaded,
} from './types.ts';
import { type UploadOptions, upload } from './upload.ts';

export type { AskOptions } from './ask.ts';
export { FilequeryError } from './client-errors.ts';
export type { ConnectionOptions, RequestOptions } from './connection.ts';
export type { Credential } from './credentials.ts';
export type { ListOptions } from './list.ts';
export type { Progress } from './send-with-progress.ts';
export type * from './types.ts';
export type { UploadOptions } from './upload.ts';

/** The dataset of a request; a frontend token implies its own. */
export interface InDataset extends RequestOptions {
  datasetId?: string;
}

export interface SearchOptions extends InDataset {
  /** Only chunks that match all filters of the list, or the group; by default all chunks of the dataset. */
  filters?: Filter[] | FilterGroup;
  /** The most chunks, 1 to 50; 8 by default. */
  limit?: number;
  /** By meaning, by words, or by both; `vector` by default. */
  mode?: 'vector' | 'keyword' | 'hybrid';
}

export interface TokenOptions extends RequestOptions {
  datasetId: string;
  /** The lifetime in seconds, 1 to 86,400; 3,600 by default. */
  ttlSeconds?: number;
  /** What the token allows; everything by default. */
  permissions?: ('READ' | 'ASK' | 'UPLOAD' | 'DELETE')[];
  /**
   * Only files whose metadata matches all filters of the list, or the group, exist for the token; by default
   * all files of the dataset.
   */
  filters?: Filter[] | FilterGroup;
  /** The credit budget of the token, as an exact decimal; by default only the customer's credits limit it. */
  maxCredits?: string;
}

export interface Client {
  /** Stores either all of the files or none; they can be searched when the promise resolves. */
  upload(files: File[], options?: UploadOptions): Promise<Uploaded>;
  /** The files of a dataset, newest first, read page by page while they are consumed. */
  list<Field extends keyof ListedFile = keyof StoredFile>(
    options?: ListOptions<Field>,
  ): AsyncGenerator<Pick<ListedFile, Field>, void, undefined>;
  /** A file with its download link. */
  get(fileId: string, options?: InDataset): Promise<LinkedFile>;
  /** The stored copy of a file, by its download link, as a response whose body has not been read. */
  download(permanentUrl: string, options?: Pick<RequestOptions, 'signal'>): Promise<Response>;
  /**
   * Deletes a file permanently: its chunks, its stored copy and its record.
   *
   * @throws FilequeryError `FILE_NOT_FOUND` when there is no such file, unless an attempt before may have
   *   deleted it
   */
  delete(fileId: string, options?: InDataset): Promise<void>;
  /** The best chunks for a question, best first. */
  search(question: string, options?: SearchOptions): Promise<SearchHit[]>;
  /** An answer with its sources and citations, as it is written. */
  ask(question: string, options?: AskOptions): AsyncGenerator<AnswerEvent, void, undefined>;
  /** Creates a frontend token, which requires an API key. `expiresIn` is its lifetime in seconds. */
  createToken(options: TokenOptions): Promise<{ token: string; expiresIn: number }>;
  /**
   * Sends any other request to a path of the gateway, such as `/graphql`, with the credential. The response
   * may have any status. The request is sent again only after a 401, once, with a new credential.
   */
  fetch(path: string, request: ForwardedRequest): Promise<Response>;
}

export interface ForwardedRequest extends RequestOptions {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Creates a client. Every method throws `FilequeryError`, or the reason of its `signal`. Requests that cost
 * something are sent with an idempotency key, so that a retry is not paid a second time.
 *
 * @throws TypeError for a `url` that cannot be requested, RangeError for a number of `retries` that is none
 */
export function createClient(options: ConnectionOptions): Client {
  checkOptions(options);
  const connection = createConnection(options);
  return {
    upload: (files, options = {}) => upload(connection, files, options),
    list: (listed) => list(connection, listed),
    download: (permanentUrl, downloaded) => download(connection, permanentUrl, downloaded),
    async get(fileId, { datasetId, signal } = {}) {
      const path = `/v1/files/${encodeURIComponent(fileId)}${query({ datasetId })}`;
      const sent = { method: 'GET', path, signal } as const;
      const { file } = await connection.json<{ file: LinkedFile }>(sent, 'file');
      return file;
    },
    async delete(fileId, { datasetId, signal } = {}) {
      const path = `/v1/files/${encodeURIComponent(fileId)}${query({ datasetId })}`;
      await connection.json({ method: 'DELETE', path, signal }, 'success', { success: true });
    },
    async search(question, options) {
      const body = { question, ...options };
      const { data } = await post<{ data: SearchHit[] }>('/v1/search', 'data', body);
      return data;
    },
    ask: (question, options) => ask(connection, question, options),
    createToken: (options) => post('/v1/tokens/create', 'token', options),
    fetch: (path, request) => connection.forward({ ...request, path }),
  };

  function post<T extends object>(
    path: string,
    field: keyof T,
    { signal, idempotencyKey = newIdempotencyKey(), ...body }: RequestOptions & Body,
  ): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return connection.json(
      { method: 'POST', path, headers, body: JSON.stringify(body), signal, idempotencyKey },
      field,
    );
  }
}

type Body = TokenOptions | (SearchOptions & { question: string });
