import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client, ListedFile } from '../../client/index.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { hashFile } from '../hash-file.ts';

/** A stored copy. */
export type Download = Pick<ListedFile, 'permanentUrl' | 'size' | 'contentHash'>;

/** A stored copy whose content differs from the uploaded file. */
export class DamagedError extends Error {}

const MAX_ATTEMPTS = 3;

/**
 * Downloads a stored copy, and gives it its name when it is whole.
 *
 * @returns false when it was there from before
 * @throws FilequeryError when it cannot be had; DamagedError; what the file system throws
 */
export async function downloadFile(
  client: Client,
  { permanentUrl, size, contentHash }: Download,
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  const there = await stat(target).catch(() => undefined);
  if (there?.isFile() && there.size === size) {
    // After a power failure a copy can have its size, but not its content.
    if (contentHash === null || (await hashFile(target, signal)) === contentHash) return false;
  }
  await makeFolder(dirname(target));
  const part = `${target}.part`;
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await client.download(permanentUrl, { signal });
      const received = await save(response, part, signal);
      if (contentHash !== null && received !== contentHash) {
        throw new DamagedError('the stored copy has another hash than the record');
      }
      break;
    } catch (error) {
      if (!isBroken(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
  await rename(part, target);
  return true;
}

/** A body that breaks off is a TypeError of `fetch`. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

/** @returns the SHA-256 hash of what was saved */
async function save({ body }: Response, path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const piece of body ?? []) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(hashed, createWriteStream(path), { signal });
  return hash.digest('hex');
}
