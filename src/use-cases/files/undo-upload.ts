import type { StoredFile } from '../../core/model.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller } from '../guard.ts';
import { createRemoveFiles } from './remove-files.ts';
import { createStagedFiles, type StagedFiles } from './staged-files.ts';

/** Removes the files of an upload that has failed. What fails is logged, and completed by the sweeper. */
export function createUndoUpload(
  deps: Pick<Dependencies, 'prisma' | 'query' | 'storage' | 'index' | 'embeddings' | 'log'>,
) {
  const { withdraw } = createStagedFiles(deps);
  const removeFiles = createRemoveFiles(deps);

  /** @returns the files, if they were published after all; then they stay */
  return async function undoUpload(
    staged: StagedFiles,
    { requestId, customerId }: DatasetCaller,
  ): Promise<StoredFile[] | undefined> {
    const details = { requestId, customerId };
    try {
      const published = await withdraw(staged);
      if (published) return published;
      await removeFiles(staged.customerKey, staged.files, details);
    } catch (err) {
      deps.log.error({ err, ...details }, 'a failed upload is left to the sweeper');
    }
    return undefined;
  };
}
