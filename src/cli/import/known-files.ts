import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { statusOf } from '../remote/describe-failure.ts';
import type { Remote } from '../remote/remote.ts';
import type { LocalFile } from './find-files.ts';

/** Custom metadata is up to 16 kB for each file. */
const LIST = {
  fields: ['fileId', 'originalName', 'contentHash', 'extraMeta'] as const,
  pageSize: 200,
};
/** Deletions at once. */
const DELETIONS = 4;

/** The files of the dataset, to find out what is missing and what is outdated. */
export async function listKnownFiles({ client, datasetId }: Remote, signal: AbortSignal) {
  const files = await Array.fromAsync(client.list({ ...LIST, datasetId, signal }));
  const byHash = Map.groupBy(files, ({ contentHash }) => contentHash);
  return {
    /** A file of an export must match in content, name and metadata; any other in content. */
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
     * Removes files that an import uploaded, and whose content is no longer in any local file.
     *
     * @param isOutdated whether a file with this path and hash is outdated
     * @returns the number of removed files
     */
    async removeOutdated(
      isOutdated: (path: string, hash: string | null) => boolean,
    ): Promise<number> {
      const outdated = files.filter(({ extraMeta, contentHash }) => {
        const path = extraMeta?.['path'];
        return typeof path === 'string' && isOutdated(path, contentHash);
      });
      await pMap(outdated, ({ fileId }) => remove(fileId), { concurrency: DELETIONS });
      return outdated.length;
    },
  };

  async function remove(fileId: string): Promise<void> {
    try {
      await client.delete(fileId, { datasetId, signal });
    } catch (error) {
      // Another import may have removed it.
      if (statusOf(error) !== 404) throw error;
    }
  }
}
