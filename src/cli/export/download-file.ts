import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isFailureOfRemote } from '../remote/describe-failure.ts';
import { RefusedError } from '../remote/refused.ts';
import { sendAgain } from '../remote/send-again.ts';

/** A stored copy. */
export interface Download {
  permanentUrl: string;
  size: number | null;
  contentHash: string | null;
}

const MAX_ATTEMPTS = 3;

/**
 * Downloads a stored copy, and gives it its name when it is whole.
 *
 * @returns false when it was there from before
 * @throws RefusedError when it cannot be had; what the file system throws
 */
export async function downloadFile(
  { permanentUrl, size, contentHash }: Download,
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  const there = await stat(target).catch(() => undefined);
  if (there?.isFile() && there.size === size) return false;
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.part`;
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await sendAgain(signal, () => fetch(permanentUrl, { signal }));
      const received = await save(response, part, signal);
      if (contentHash !== null && received !== contentHash) {
        throw new RefusedError(response.status, 'the stored copy has another hash than the record');
      }
      break;
    } catch (error) {
      const isBroken = isFailureOfRemote(error) && !(error instanceof RefusedError);
      if (!isBroken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
  await rename(part, target);
  return true;
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
