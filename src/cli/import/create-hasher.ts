import { hashFile } from '../hash-file.ts';
import type { LocalFile } from './find-files.ts';

export type Hasher = (file: LocalFile, signal: AbortSignal) => Promise<string>;

/** SHA-256 hashes of files, in hexadecimal. A file is read again when it has changed. */
export function createHasher(): Hasher {
  const known = new Map<string, { size: number; ctimeMs: number; hash: string }>();
  return async ({ absolute, size, ctimeMs }, signal) => {
    const before = known.get(absolute);
    if (before?.size === size && before.ctimeMs === ctimeMs) return before.hash;
    const hash = await hashFile(absolute, signal);
    known.set(absolute, { size, ctimeMs, hash });
    return hash;
  };
}
