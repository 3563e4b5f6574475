import type { Call } from '../core/call.ts';
import type { UseCases } from '../use-cases/index.ts';
import { checkMultipart, type MultipartForm, readMultipart } from './read-multipart.ts';
import { createTurns } from './turns.ts';

export interface ReceiveUploadOptions {
  useCases: Pick<UseCases, 'announceUpload'>;
  /** Where uploaded files wait. */
  spoolDir: string;
  /** Uploads of one customer at once; the others wait, their bodies unread. */
  atOnce: number;
}

export type ReceiveUpload = (
  request: Request,
  call: Call,
  known: { datasetId?: unknown },
) => Promise<MultipartForm>;

/**
 * Reads the multipart body of a caller who may upload, when it is the caller's turn: what the
 * credential, the headers and the URL tell is looked at before.
 *
 * @returns a function that throws an AppError for who may not, and for what `readMultipart` refuses
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
