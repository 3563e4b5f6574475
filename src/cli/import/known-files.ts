import { isDeepStrictEqual } from 'node:util';
import { listFiles } from '../remote/list-files.ts';
import { RefusedError } from '../remote/refused.ts';
import { type Remote, sendTo } from '../remote/remote.ts';
import { sendAgain } from '../remote/send-again.ts';
import type { LocalFile } from './find-files.ts';

interface KnownFile {
  fileId: string;
  originalName: string;
  contentHash: string | null;
  extraMeta: { path?: unknown } | null;
}

/** Custom metadata is up to 16 kB for each file. */
const LIST = { fields: 'fileId originalName contentHash extraMeta', pageSize: 200 };

/** The files that the dataset has, to find out what it lacks and what is outdated. */
export async function listKnownFiles(remote: Remote, signal: AbortSignal) {
  const files: KnownFile[] = [];
  for await (const file of listFiles<KnownFile>(remote, LIST, signal)) files.push(file);
  const byHash = Map.groupBy(files, ({ contentHash }) => contentHash);
  return {
    /** A file of an export is there only with its name and metadata, any other by its content. */
    has({ exported }: LocalFile, hash: string): boolean {
      const same = byHash.get(hash) ?? [];
      if (!exported) return same.length > 0;
      const { originalName, extraMeta } = exported;
      return same.some(
        (known) =>
          known.originalName === originalName && isDeepStrictEqual(known.extraMeta, extraMeta),
      );
    },

    /**
     * Removes files that an import brought, and whose content is no longer in any local file.
     *
     * @param isOutdated whether a file with this path and hash is outdated
     * @returns the number of removed files
     */
    async removeOutdated(
      isOutdated: (path: string, hash: string | null) => boolean,
    ): Promise<number> {
      let removed = 0;
      for (const { fileId, extraMeta, contentHash } of files) {
        const path = extraMeta?.path;
        if (typeof path !== 'string' || !isOutdated(path, contentHash)) continue;
        await removeFile(remote, fileId, signal);
        removed++;
      }
      return removed;
    },
  };
}

async function removeFile(remote: Remote, fileId: string, signal: AbortSignal): Promise<void> {
  try {
    await sendAgain(signal, () =>
      sendTo(remote, `/v1/files/${fileId}`, { method: 'DELETE', signal }),
    );
  } catch (error) {
    // Another import may have removed it.
    if (!(error instanceof RefusedError && error.status === 404)) throw error;
  }
}
