import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { LocalFile } from './find-files.ts';

export type Hasher = (file: LocalFile, signal: AbortSignal) => Promise<string>;

/** SHA-256 hashes of files, in hexadecimal. A file is read again when it has changed. */
export function createHasher(): Hasher {
  const known = new Map<string, { size: number; ctimeMs: number; hash: string }>();
  return async ({ absolute, size, ctimeMs }, signal) => {
    const before = known.get(absolute);
    if (before?.size === size && before.ctimeMs === ctimeMs) return before.hash;
    const hash = createHash('sha256');
    await pipeline(createReadStream(absolute), hash, { signal });
    const made = { size, ctimeMs, hash: hash.digest('hex') };
    known.set(absolute, made);
    return made.hash;
  };
}
