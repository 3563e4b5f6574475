import { type Connection, newIdempotencyKey, type RequestOptions } from './connection.ts';
import { multipart } from './multipart.ts';
import { query } from './query.ts';
import { type Progress, sendWithProgress } from './send-with-progress.ts';
import type { Uploaded } from './types.ts';

export interface UploadOptions extends RequestOptions {
  /** The dataset; a frontend token implies its own. */
  datasetId?: string;
  /** URLs of files that the gateway fetches; they come after `files`. */
  urls?: string[];
  /** The custom metadata of each file, by its name, its URL or its position from 0. */
  metadata?: Record<string, Record<string, unknown>>;
  /** Tokens in a chunk, 10 to 2,000; 300 by default. */
  chunkSize?: number;
  /** Tokens that a chunk repeats from the previous one: at most half of `chunkSize`; 20 by default. */
  chunkOverlap?: number;
  /** What happens to files that the dataset already has; `KEEP_BOTH` by default. */
  onDuplicate?: 'KEEP_BOTH' | 'SKIP' | 'REPLACE';
  /** Called while the body is sent; starts again at 0 bytes when the upload is sent again. */
  onProgress?: (progress: Progress) => void;
}

/** Stores all of the files or none. */
export async function upload(
  connection: Connection,
  files: File[],
  options: UploadOptions,
): Promise<Uploaded> {
  const { signal, idempotencyKey = newIdempotencyKey(), onProgress = () => {} } = options;
  const { datasetId, urls, metadata, chunkSize, chunkOverlap, onDuplicate } = options;
  const given = {
    datasetId,
    urls: urls && JSON.stringify(urls),
    metadata: metadata && JSON.stringify(metadata),
    chunkSize,
    chunkOverlap,
    onDuplicate,
  };
  const fields = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const body = multipart(Object.fromEntries(fields), files);
  const sent = {
    method: 'POST',
    // Also in the URL: then it is checked before the body is sent.
    path: `/v1/files/upload${query({ datasetId })}`,
    headers: { 'content-type': body.type },
    send: sendWithProgress(body, onProgress, connection.fetchOne),
    ...{ signal, idempotencyKey },
  } as const;
  const answer = await connection.json<Omit<Uploaded, 'skipped' | 'replaced'> & Partial<Uploaded>>(
    sent,
    'billed',
  );
  const { files: stored, skipped = [], replaced = [], billed } = answer;
  return { files: stored, skipped, replaced, billed };
}
