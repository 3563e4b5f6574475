import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import { ERRORS } from '../../core/error-table.ts';
import { LIMITS } from '../../core/limits.ts';
import { decodeMultipartName } from '../../core/multipart-name.ts';
import { firstLine } from '../../core/reason-of.ts';
import { isFailureOfSystem } from '../is-failure-of-system.ts';
import { isFailureOfRemote, statusOf } from '../remote/describe-failure.ts';
import type { Remote } from '../remote/remote.ts';
import type { LocalFile } from './find-files.ts';

/** A file to upload, and the hash of its content. */
export interface HashedFile {
  file: LocalFile;
  hash: string;
}

export interface BatchOptions {
  signal: AbortSignal;
  /** Called with the bytes that have been sent of files whose request is not answered yet. */
  onSent: (bytes: number) => void;
  onStored: (one: HashedFile) => void;
  /** Another upload has stored the content meanwhile. */
  onSkipped: (one: HashedFile) => void;
  /** @param isForGood whether the gateway refuses this content, however often it is sent */
  onFailed: (one: HashedFile, reason: string, isForGood: boolean) => void;
}

/**
 * Uploads files in one request, which stores all of them or none. When one of them is refused, the
 * others are sent again without it. Repeats after a broken connection are paid once. All files must be
 * from exports, or none.
 *
 * @throws FilequeryError when the next request would fail, too
 */
export async function uploadBatch(
  remote: Remote,
  batch: HashedFile[],
  options: BatchOptions,
): Promise<void> {
  try {
    return await send(remote, batch, options);
  } catch (error) {
    const [only, another] = batch;
    if (options.signal.aborted || !only || isFinal(error, batch)) throw error;
    const { message } = error as Error;
    const fail = (one: HashedFile) =>
      options.onFailed(one, reasonAbout(one, error), isAboutContent(error));
    if (!another) return fail(only);
    const named = batch.filter((one) => message.startsWith(`${receivedName(one)}: `));
    const [refused, namesake] = named;
    if (refused && !namesake) fail(refused);
    for (const part of divide(batch, named, error)) await uploadBatch(remote, part, options);
  }
}

/** In one request. Content that the dataset has is skipped, except in an export, which may have it twice. */
async function send(
  { client, datasetId }: Remote,
  batch: HashedFile[],
  { signal, onSent, onStored, onSkipped }: BatchOptions,
): Promise<void> {
  const bytes = batch.reduce((sum, { file }) => sum + file.size, 0);
  const files = await Promise.all(
    batch.map(async (one) => new File([await openAsBlob(one.file.absolute)], nameOf(one))),
  );
  const metadata = batch.flatMap(({ file: { path, exported } }, at) => {
    const extraMeta = exported ? exported.extraMeta : { path };
    return extraMeta ? [[at, extraMeta]] : [];
  });
  const uploaded = await client
    .upload(files, {
      datasetId,
      metadata: Object.fromEntries(metadata),
      onDuplicate: batch[0]?.file.exported ? 'KEEP_BOTH' : 'SKIP',
      onProgress: ({ sentBytes, totalBytes }) => onSent((bytes * sentBytes) / totalBytes),
      signal,
    })
    .finally(() => onSent(0));
  // Stored files are returned in the order in which they were sent.
  const isWhole = uploaded.files.length === batch.length;
  const stored = uploaded.files.values();
  let next = stored.next().value;
  for (const one of batch) {
    if (!isWhole && next?.originalName !== receivedName(one)) onSkipped(one);
    else {
      onStored(one);
      next = stored.next().value;
    }
  }
}

/** Whether the next request would fail, too: the credential is wrong, or there is no response. */
function isFinal(error: unknown, { length }: HashedFile[]): boolean {
  if (!isFailureOfRemote(error)) return !isFailureOfSystem(error);
  const status = statusOf(error);
  // There may be credits for fewer files.
  if (status === 402) return length === 1;
  return status === undefined || FINAL.includes(status) || status < 400;
}

const FINAL = [401, 403, 404, 409, 429, 502, 503, 504];

function isAboutContent(error: unknown): boolean {
  return [400, 413, 415, 422].includes(statusOf(error) ?? 0);
}

/**
 * What to send instead of a batch that was refused.
 *
 * @param named the files that the error may be about; none if it names none
 */
function divide(batch: HashedFile[], named: HashedFile[], error: unknown): HashedFile[][] {
  const [refused, namesake] = named;
  if (!refused) {
    const middle = Math.ceil(batch.length / 2);
    return [batch.slice(0, middle), batch.slice(middle)];
  }
  const isSuspect = (one: HashedFile) =>
    namesake ? named.includes(one) : isOfRefusedType(one, refused, error);
  const rest = namesake ? batch : batch.filter((one) => one !== refused);
  const { true: suspects = [], false: others } = Object.groupBy(rest, (one) => `${isSuspect(one)}`);
  // Alone, so that no other file is sent again for them.
  return [...(others ? [others] : []), ...suspects.map((one) => [one])];
}

function isOfRefusedType(one: HashedFile, refused: HashedFile, error: unknown): boolean {
  const isType = statusOf(error) === ERRORS.UNSUPPORTED_FILE_TYPE.status;
  return isType && extname(nameOf(one)) === extname(nameOf(refused));
}

function nameOf({ file }: HashedFile): string {
  return file.exported?.originalName ?? basename(file.absolute);
}

const TOO_LARGE = `it is too large: at most ${LIMITS.fileBytes / 1024 ** 2} MB, audio and video ${LIMITS.mediaBytes / 1024 ** 3} GB`;

/** The name as the gateway stores it: it also decodes a name that only looks encoded. */
function receivedName(one: HashedFile): string {
  return decodeMultipartName(nameOf(one));
}

/** What the gateway or the file system says, without the name that it begins with. */
function reasonAbout(one: HashedFile, error: unknown): string {
  if (isFailureOfRemote(error) && error.code === 'FILE_TOO_LARGE') return TOO_LARGE;
  const { message } = error as Error;
  const start = `${receivedName(one)}: `;
  return firstLine(message.startsWith(start) ? message.slice(start.length) : message);
}
