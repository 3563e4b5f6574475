import type { Call } from '../core/call.ts';
import { createTurns } from '../core/turns.ts';
import type { UseCases } from '../use-cases/index.ts';
import { checkMultipart, type MultipartForm, readMultipart } from './read-multipart.ts';

export interface ReceiveUploadOptions {
  useCases: Pick<UseCases, 'announceUpload'>;
  /** The folder for uploaded files. */
  spoolDir: string;
  /** Concurrent uploads for one customer; others wait before their bodies are read. */
  atOnce: number;
}

export type ReceiveUpload = (
  request: Request,
  call: Call,
  known: { datasetId?: unknown; idempotencyKey?: unknown },
) => Promise<MultipartForm>;

/**
 * Reads the multipart body of an upload, after checking the credential, the headers and the URL and
 * waiting for a free slot.
 *
 * @returns a function that throws an AppError when the caller may not upload, and those of `readMultipart`
 */
export function createReceiveUpload({
  useCases,
  spoolDir,
  atOnce,
}: ReceiveUploadOptions): ReceiveUpload {
  const takeTurn = createTurns(atOnce);

  return async (request, call, known) => {
    checkMultipart(request);
    const { customerKey } = await useCases.announceUpload(call, known);
    const done = await takeTurn(customerKey, call.signal);
    try {
      const form = await readMultipart(request, spoolDir);
      return { ...form, discard: () => form.discard().finally(done) };
    } catch (error) {
      done();
      throw error;
    }
  };
}
