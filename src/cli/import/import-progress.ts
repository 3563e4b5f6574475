import type { Transferred } from '../transfer-progress.ts';
import type { LocalFile } from './find-files.ts';
import type { HashedFile } from './upload-batch.ts';

export interface ImportSummary {
  imported: number;
  /** Files whose content was already in the dataset. */
  skipped: number;
  failed: number;
  /** Files of the dataset that were outdated. */
  removed: number;
  /** Files that were not started. */
  remaining: number;
  /** The sizes of the imported files, added up. */
  bytes: number;
}

/** Why contents are refused, by their hashes, and the paths for which that was printed. */
export type Refusals = Map<string, { reason: string; paths: Set<string> }>;

export interface ImportProgressOptions {
  refused: Refusals;
  /** Called for each file that cannot be imported, unless the same was printed before. */
  onFailure: (path: string, reason: string) => void;
  /** Called when a file is dealt with, and as files are sent. */
  onProgress: (done: Transferred) => void;
}

/** Counts what becomes of the files of an import. */
export function createImportProgress({ refused, onFailure, onProgress }: ImportProgressOptions) {
  const summary = { imported: 0, skipped: 0, failed: 0, removed: 0, remaining: 0, bytes: 0 };
  const outcomes = new Map<string, string | undefined>();
  const done = { files: 0, bytes: 0 };
  const sending = new Map<number, number>();

  return {
    summary,
    /** The hashes of the files that are in the dataset now, by path; undefined for those that failed. */
    outcomes: outcomes as ReadonlyMap<string, string | undefined>,

    keep({ file, hash }: HashedFile, as: 'imported' | 'skipped'): void {
      summary[as]++;
      if (as === 'imported') summary.bytes += file.size;
      finish(file, hash);
    },

    /** @param hash of a content that was read */
    fail(file: LocalFile, reason: string, hash?: string): void {
      summary.failed++;
      const reportedPaths = refused.get(hash ?? '')?.paths;
      if (!reportedPaths?.has(file.path)) onFailure(file.path, reason);
      reportedPaths?.add(file.path);
      finish(file, undefined);
    },

    /** The bytes that were sent of files that are not finished yet. */
    sent(taker: number, bytes: number): void {
      sending.set(taker, bytes);
      report();
    },
  };

  function finish({ path, size }: LocalFile, hash: string | undefined): void {
    outcomes.set(path, hash);
    done.files++;
    done.bytes += size;
    report();
  }

  function report(): void {
    const ahead = sending.values().reduce((sum, bytes) => sum + bytes, 0);
    onProgress({ ...done, ahead });
  }
}
