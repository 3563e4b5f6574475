import { LIMITS } from '../../core/limits.ts';
import type { LocalFile } from './find-files.ts';
import type { HashedFile } from './upload-batch.ts';

/** In bytes: a larger batch costs more than a separate request. */
const MAX_BYTES = 2_000_000;

/**
 * Groups files for requests. Several consumers may work concurrently: each gets files in their order, and a
 * large file comes alone.
 *
 * @param files may grow
 * @param take looks at a file; undefined when it is not to be uploaded
 * @param isEnded whether no more files are begun
 */
export function createBatches(
  files: LocalFile[],
  take: (file: LocalFile) => Promise<HashedFile | undefined>,
  isEnded: () => boolean,
) {
  let next = 0;

  /** @returns no file at the end */
  return async (): Promise<HashedFile[]> => {
    const batch: HashedFile[] = [];
    let bytes = 0;
    while (batch.length < LIMITS.filesPerUpload) {
      const file = files[next];
      if (!file || isEnded() || (batch.length > 0 && !fits(file))) break;
      next++;
      const taken = await take(file);
      if (!taken) continue;
      batch.push(taken);
      bytes += file.size;
    }
    return isEnded() ? [] : batch;

    function fits({ size, exported }: LocalFile): boolean {
      const isExport = batch[0]?.file.exported !== undefined;
      return bytes + size <= MAX_BYTES && (exported !== undefined) === isExport;
    }
  };
}
