/* A client of a gateway, for browsers and Node.js: it needs `fetch` and nothing else. */

import { type AskOptions, ask } from './ask.ts';
import {
  type ConnectionOptions,
  createConnection,
  newIdempotencyKey,
  type RequestOptions,
} from './connection.ts';
import type {
  AnswerEvent,
  Filter,
  FilterGroup,
  LinkedFile,
  SearchHit,
  StoredFile,
  Uploaded,
} from './types.ts';
import { type UploadOptions, upload } from './upload.ts';

export type { AskOptions } from './ask.ts';
export type { ConnectionOptions, RequestOptions } from './connection.ts';
export type { Credential } from './credentials.ts';
export { FilequeryError } from './errors.ts';
export type { Progress } from './send-with-progress.ts';
export type * from './types.ts';
export type { UploadOptions } from './upload.ts';

/** The dataset of a request; a frontend token implies its own. */
export interface InDataset extends RequestOptions {
  datasetId?: string;
}

export interface SearchOptions extends InDataset {
  filters?: Filter[] | FilterGroup;
  /** The most chunks; 8 by default. */
  limit?: number;
  mode?: 'vector' | 'keyword' | 'hybrid';
}

export interface TokenOptions extends RequestOptions {
  datasetId: string;
  ttlSeconds?: number;
  permissions?: ('READ' | 'ASK' | 'UPLOAD' | 'DELETE')[];
  filters?: Filter[] | FilterGroup;
  /** In credits, as an exact decimal. */
  maxCredits?: string;
}

export interface Client {
  /** Stores all of the files or none; they can be searched when it is done. */
  upload(files: File[], options?: UploadOptions): Promise<Uploaded>;
  /** The files of a dataset, newest first, read page by page as they are taken. */
  list(options?: InDataset & { pageSize?: number }): AsyncGenerator<StoredFile, void, undefined>;
  /** A file with its download link. */
  get(fileId: string, options?: InDataset): Promise<LinkedFile>;
  delete(fileId: string, options?: InDataset): Promise<void>;
  /** The best chunks for a question, best first. */
  search(question: string, options?: SearchOptions): Promise<SearchHit[]>;
  /** An answer with its sources and citations, as it is written. */
  ask(question: string, options?: AskOptions): AsyncGenerator<AnswerEvent, void, undefined>;
  /** A frontend token; on a server, with an API key. */
  createToken(options: TokenOptions): Promise<{ token: string; expiresIn: number }>;
}

/**
 * A client. Every method throws `FilequeryError`, or the reason of its `signal`. What costs something is
 * sent with an idempotency key, so that no retry is paid a second time.
 */
export function createClient(options: ConnectionOptions): Client {
  const connection = createConnection(options);
  const fetchOne = options.fetch ?? globalThis.fetch.bind(globalThis);
  return {
    upload: (files, options = {}) => upload(connection, files, options, fetchOne),
    async *list({ datasetId, pageSize = 100, signal } = {}) {
      let cursor: string | null | undefined;
      do {
        const path = `/v1/files${query({ datasetId, limit: pageSize, cursor })}`;
        const page: { files: StoredFile[]; nextCursor: string | null } = await connection.json({
          ...{ method: 'GET', path, signal },
        });
        yield* page.files;
        cursor = page.nextCursor;
      } while (cursor);
    },
    async get(fileId, { datasetId, signal } = {}) {
      const path = `/v1/files/${encodeURIComponent(fileId)}${query({ datasetId })}`;
      const { file } = await connection.json<{ file: LinkedFile }>({ method: 'GET', path, signal });
      return file;
    },
    async delete(fileId, { datasetId, signal } = {}) {
      const path = `/v1/files/${encodeURIComponent(fileId)}${query({ datasetId })}`;
      await connection.json<object>({ method: 'DELETE', path, signal }, {});
    },
    async search(question, options) {
      const { data } = await post<{ data: SearchHit[] }>('/v1/search', { question, ...options });
      return data;
    },
    ask: (question, options) => ask(connection, question, options),
    createToken: (options) => post('/v1/tokens/create', options),
  };

  function post<T>(
    path: string,
    { signal, idempotencyKey = newIdempotencyKey(), ...body }: RequestOptions & Body,
  ): Promise<T> {
    return connection.json({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...{ signal, idempotencyKey },
    });
  }
}

type Body = TokenOptions | (SearchOptions & { question: string });

function query(parameters: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}
