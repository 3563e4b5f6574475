import { reasonOf } from '../../core/reason-of.ts';
import type { Remote } from '../remote/remote.ts';
import { createBatches } from './create-batches.ts';
import type { Hasher } from './create-hasher.ts';
import type { Found, LocalFile } from './find-files.ts';
import {
  createImportProgress,
  type ImportProgressOptions,
  type ImportSummary,
} from './import-progress.ts';
import { listKnownFiles } from './known-files.ts';
import { type HashedFile, uploadBatch } from './upload-batch.ts';

export interface ImportOptions
  extends Pick<ImportProgressOptions, 'onFailure'>,
    Partial<Omit<ImportProgressOptions, 'onFailure'>> {
  remote: Remote;
  found: Found;
  hash: Hasher;
  /** Whether files that an import uploaded, and that no longer exist locally, are removed. */
  mirror?: boolean;
  /** Requests at once. */
  parallel: number;
  /** No further files are started after it is aborted. */
  stopping: AbortSignal;
  /** Aborts what is running. */
  signal: AbortSignal;
}

/** Of a copy in an export, whose record has the hash of the file that was uploaded. */
const DAMAGED = 'the copy has another hash than its record';

/**
 * Uploads files into a dataset, small ones together. A file whose content is already there, by its SHA-256
 * hash, is skipped; one whose content has changed replaces the version with the same path. A file that
 * cannot be read is reported, and the others are imported. Old versions are removed at the end; an
 * interrupted run leaves them to the next one.
 *
 * @param options.refused what earlier imports found out; it is not sent again
 * @returns the summary, and what ended the import early: no more credits, a wrong credential, or a
 * gateway that cannot be reached
 */
export async function importFiles({
  remote,
  found,
  hash,
  mirror = false,
  parallel,
  stopping,
  signal,
  refused = new Map(),
  onFailure,
  onProgress = () => {},
}: ImportOptions): Promise<{ summary: ImportSummary; endedBy?: unknown }> {
  const known = await listKnownFiles(remote, signal);
  const { summary, outcomes, ...progress } = createImportProgress({
    refused,
    onFailure,
    onProgress,
  });
  const hashes = new Set<string>();
  /** The hashes of contents that this import has uploaded. */
  const brought = new Set<string>();
  /** Files with the content of one that is being uploaded, by hash. */
  const twins = new Map<string, LocalFile[]>();
  let ended: { endedBy: unknown } | undefined;
  const isEnded = () => ended !== undefined || stopping.aborted;
  const queue = [...found.files];
  const nextBatch = createBatches(queue, take, isEnded);

  await Promise.all(Array.from({ length: parallel }, (_, taker) => uploadBatches(taker)));
  summary.remaining = found.files.length - summary.imported - summary.skipped - summary.failed;
  summary.failed += found.unreadable.length;
  for (const { path, reason } of found.unreadable) onFailure(path, reason);
  if (isEnded()) return { summary, ...ended };
  summary.removed = await known.removeOutdated((path, contentHash) => {
    if (contentHash !== null && hashes.has(contentHash)) return false;
    const now = outcomes.get(path);
    if (now !== undefined) return now !== contentHash;
    return mirror && found.unreadable.length === 0 && !outcomes.has(path);
  });
  return { summary };

  async function uploadBatches(taker: number): Promise<void> {
    for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) {
      try {
        await uploadBatch(remote, batch, {
          signal,
          onSent: (bytes) => progress.sent(taker, bytes),
          onStored: (one) => keep(one, 'imported'),
          onSkipped: (one) => keep(one, 'skipped'),
          onFailed: fail,
        });
      } catch (error) {
        if (!signal.aborted) ended ??= { endedBy: error };
        return;
      }
    }
  }

  /** Looks at a file. @returns undefined when it is not to be uploaded */
  async function take(file: LocalFile): Promise<HashedFile | undefined> {
    const one = await hashed(file);
    if (!one) return undefined;
    if ((file.exported?.contentHash ?? one.hash) !== one.hash) {
      progress.fail(file, DAMAGED);
      return undefined;
    }
    hashes.add(one.hash);
    const refusal = refused.get(one.hash);
    const first = file.exported ? undefined : twins.get(one.hash);
    const isThere = known.has(file, one.hash) || (!file.exported && brought.has(one.hash));
    if (isThere) progress.keep(one, 'skipped');
    else if (refusal) progress.fail(file, refusal.reason, one.hash);
    // Every gateway refuses it, and with it the files of its request.
    else if (file.size === 0) fail(one, 'it is empty', true);
    else if (first) first.push(file);
    else {
      twins.set(one.hash, []);
      return one;
    }
    return undefined;
  }

  async function hashed(file: LocalFile): Promise<HashedFile | undefined> {
    try {
      return { file, hash: await hash(file, signal) };
    } catch (error) {
      if (!signal.aborted) progress.fail(file, reasonOf(error));
      return undefined;
    }
  }

  function keep(one: HashedFile, as: 'imported' | 'skipped'): void {
    brought.add(one.hash);
    progress.keep(one, as);
    for (const file of takeTwins(one)) progress.keep({ ...one, file }, 'skipped');
  }

  function fail(one: HashedFile, reason: string, isForGood: boolean): void {
    if (isForGood) refused.set(one.hash, { reason, paths: new Set() });
    progress.fail(one.file, reason, one.hash);
    // They are looked at again: what was wrong with the first may not be wrong with them.
    // One by one: a call takes no more arguments than fit on the stack.
    for (const file of takeTwins(one)) queue.push(file);
  }

  function takeTwins({ hash: contentHash }: HashedFile): LocalFile[] {
    const files = twins.get(contentHash) ?? [];
    twins.delete(contentHash);
    return files;
  }
}
