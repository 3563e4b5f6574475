import type { StoredFile } from '../../core/model.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { runTaskGroup } from '../task-group.ts';
import { acceptUpload } from './accept-upload.ts';
import { type Deduplicated, type Replaced, resolveDuplicates } from './duplicates.ts';
import { createIngest, type IngestDependencies } from './ingest.ts';
import { createPrepareUpload } from './prepare-upload.ts';
import type { Upload, UploadInput } from './read-upload.ts';
import type { ReceiveRemote } from './receive-remote.ts';
import { createRemoveFiles } from './remove-files.ts';
import { createStagedFiles } from './staged-files.ts';
import { transcriptColumns } from './transcribe.ts';
import { createUndoUpload } from './undo-upload.ts';
import { toUploaded, type Uploaded } from './uploaded.ts';

type Deps = IngestDependencies & Pick<Dependencies, 'prisma' | 'query' | 'log'>;

/** Files of one upload that are ingested concurrently. */
export const FILES_AT_ONCE = 4;

/**
 * Uploads files, all of them or none.
 *
 * The files are staged first, and ingested while no list and no search shows them. Then one transaction
 * publishes all of them. A failure before that leaves only staged files, which are removed here or by the
 * sweeper.
 */
export function uploadFiles(deps: Deps, receive: ReceiveRemote) {
  const prepareUpload = createPrepareUpload(deps);
  const stagedFiles = createStagedFiles(deps);
  const ingest = createIngest(deps);
  const undoUpload = createUndoUpload(deps);
  const removeFiles = createRemoveFiles(deps);

  return {
    ...acceptUpload(deps, receive),

    async run(caller, upload): Promise<Uploaded> {
      let replaced: Replaced = { files: [], intents: [] };
      const present = (files: StoredFile[]) => toUploaded(files, replaced, upload, caller);
      if (upload.files.length === 0) return present([]);
      const { datasetKey, incoming } = await prepareUpload(caller, upload);
      const records = incoming.map(({ record }) => record);
      const staged = await stagedFiles.open(caller, records);
      try {
        const { signal } = caller;
        await runTaskGroup(
          incoming,
          { concurrency: FILES_AT_ONCE, signal },
          async (one, groupSignal) => {
            const transcript = await ingest(one, groupSignal);
            if (transcript) Object.assign(one.record, transcriptColumns(transcript));
          },
        );
        const published = await stagedFiles.publish(staged, {
          datasetKey,
          records,
          charge: caller.charge,
          lockDataset: upload.onDuplicate !== 'KEEP_BOTH',
          before: async (tx) => {
            replaced = await resolveDuplicates(deps, tx, caller, upload);
          },
          after: async (tx, files) => caller.attempt?.keep(present(files), caller.charge, tx),
        });
        await removeReplaced(replaced, caller);
        return present(published);
      } catch (error) {
        const published = await undoUpload(staged, caller);
        if (published) {
          await removeReplaced(replaced, caller);
          return present(published);
        }
        throw error;
      } finally {
        staged.release();
      }
    },
  } satisfies UseCase<'uploadFiles', UploadInput, Upload, Promise<Uploaded>, Deduplicated>;

  /** What fails is logged, and completed by the sweeper. */
  async function removeReplaced({ intents }: Replaced, caller: DatasetCaller): Promise<void> {
    const { customerKey, requestId, customerId } = caller;
    if (intents.length > 0) await removeFiles(customerKey, intents, { requestId, customerId });
  }
}
