import pMap from 'p-map';
import { reasonOf } from '../../core/reason-of.ts';
import { isFailureOfSystem } from '../is-failure-of-system.ts';
import { isFinal, RefusedError } from '../remote/refused.ts';
import type { Remote } from '../remote/remote.ts';
import type { Found, LocalFile } from './find-files.ts';
import type { Hasher } from './hash-file.ts';
import { listKnownFiles } from './known-files.ts';
import { uploadFile } from './upload-file.ts';

export interface ImportOptions {
  remote: Remote;
  found: Found;
  hash: Hasher;
  /** Whether files that an import brought, and that are gone now, are removed. */
  mirror?: boolean;
  /** Files at once. */
  parallel: number;
  /** Why contents were refused before, by hash: these are not sent again. */
  refused?: Map<string, string>;
  /** No more files begin after it. */
  stopping: AbortSignal;
  /** Aborts what is running. */
  signal: AbortSignal;
  /** Called for each file that cannot be imported. */
  onFailure: (path: string, reason: string) => void;
  /** Called when a file is dealt with. */
  onProgress?: (done: { files: number; bytes: number }) => void;
}

export interface ImportSummary {
  imported: number;
  /** Files whose content was there. */
  skipped: number;
  failed: number;
  /** Files of the dataset that were outdated. */
  removed: number;
  /** Files that were not begun. */
  remaining: number;
  /** Of imported files. */
  bytes: number;
}

/**
 * Brings files into a dataset. A file whose content is there, by its SHA-256 hash, is skipped; one
 * whose content has changed takes the place of the version with the same path. A file that cannot be
 * read is told of, and the others are imported. Old versions are removed at the end: a run that is
 * cut short leaves them to the next.
 *
 * @returns the summary, and what ended the import early: no more credits, a wrong credential, or a
 * gateway that cannot be reached
 */
export async function importFiles({
  remote,
  found,
  hash,
  mirror = false,
  parallel,
  refused = new Map(),
  stopping,
  signal,
  onFailure,
  onProgress,
}: ImportOptions): Promise<{ summary: ImportSummary; endedBy?: unknown }> {
  const summary = { imported: 0, skipped: 0, failed: 0, removed: 0, remaining: 0, bytes: 0 };
  for (const { path, reason } of found.unreadable) fail(path, reason);
  const known = await listKnownFiles(remote, signal);
  const hashes = new Set<string>();
  /** The hashes of the files that are in the dataset now, by path; undefined for the others. */
  const settled = new Map<string, string | undefined>();
  const done = { files: 0, bytes: 0 };
  let ended: { endedBy: unknown } | undefined;

  await pMap(found.files, importOne, { concurrency: parallel });
  if (ended || stopping.aborted) return { summary, ...ended };
  summary.removed = await known.removeOutdated((path, contentHash) => {
    if (contentHash !== null && hashes.has(contentHash)) return false;
    const now = settled.get(path);
    if (now !== undefined) return now !== contentHash;
    return mirror && found.unreadable.length === 0 && !settled.has(path);
  });
  return { summary };

  async function importOne(file: LocalFile): Promise<void> {
    if (ended || stopping.aborted) {
      summary.remaining++;
      return;
    }
    settled.set(file.path, undefined);
    try {
      const contentHash = await hash(file, signal);
      hashes.add(contentHash);
      const reason = refused.get(contentHash);
      if (reason !== undefined) {
        summary.failed++;
      } else if (await bring(file, contentHash)) {
        settled.set(file.path, contentHash);
      }
    } catch (error) {
      if (signal.aborted) summary.remaining++;
      else if (isFailureOfSystem(error)) fail(file.path, reasonOf(error));
      else {
        summary.remaining++;
        ended ??= { endedBy: error };
      }
      return;
    }
    done.files++;
    done.bytes += file.size;
    onProgress?.({ ...done });
  }

  /** @returns whether its content is in the dataset now */
  async function bring(file: LocalFile, contentHash: string): Promise<boolean> {
    if (known.has(file, contentHash)) {
      summary.skipped++;
      return true;
    }
    try {
      const isStored = await uploadFile(remote, file, signal);
      if (!isStored) summary.skipped++;
      else {
        summary.imported++;
        summary.bytes += file.size;
      }
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError) || isFinal(error)) throw error;
      refused.set(contentHash, error.message);
      fail(file.path, error.message);
      return false;
    }
  }

  function fail(path: string, reason: string): void {
    summary.failed++;
    onFailure(path, reason);
  }
}
