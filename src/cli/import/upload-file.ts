import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type Remote, sendTo } from '../remote/remote.ts';
import { sendAgain } from '../remote/send-again.ts';
import type { LocalFile } from './find-files.ts';

/**
 * Uploads a file. Repeats after a broken connection are paid once. A file whose content another
 * upload has stored meanwhile is skipped, unless it comes from an export: it may be there twice, with
 * different metadata.
 *
 * @returns whether it was stored
 * @throws RefusedError when the gateway does not take it
 */
export async function uploadFile(
  remote: Remote,
  { path, absolute, exported }: LocalFile,
  signal: AbortSignal,
): Promise<boolean> {
  const content = await openAsBlob(absolute);
  const metadata = exported ? exported.extraMeta : { path };
  const idempotencyKey = randomUUID();
  const response = await sendAgain(signal, () => {
    const form = new FormData();
    if (remote.datasetId !== undefined) form.set('datasetId', remote.datasetId);
    if (metadata) form.set('metadata', JSON.stringify({ 0: metadata }));
    form.set('onDuplicate', exported ? 'KEEP_BOTH' : 'SKIP');
    form.set('file', content, exported?.originalName ?? basename(absolute));
    return sendTo(remote, '/v1/files/upload', {
      method: 'POST',
      headers: { 'idempotency-key': idempotencyKey },
      body: form,
      signal,
    });
  });
  const { files } = (await response.json()) as { files: unknown[] };
  return files.length > 0;
}
