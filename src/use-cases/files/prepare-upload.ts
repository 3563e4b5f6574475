import { ensureDataset } from '../datasets/datasets.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller } from '../guard.ts';
import { createIdentify } from './identify.ts';
import { newLocation, type PreparedFile, prepareFile } from './prepare-file.ts';
import type { Upload } from './read-upload.ts';
import { requireMatches } from './with-demanded.ts';

/**
 * Identifies the files of an upload, and prepares them for its dataset, which is created when it does not
 * exist. Nothing else is written.
 *
 * @returns a function that throws an AppError for files that cannot be ingested, or that the caller could
 *   not see
 */
export function createPrepareUpload(
  deps: Parameters<typeof createIdentify>[0] & Pick<Dependencies, 'query' | 'embeddings'>,
) {
  const identify = createIdentify(deps);

  return async function prepareUpload(
    caller: DatasetCaller,
    upload: Upload,
  ): Promise<{ datasetKey: number; incoming: PreparedFile[] }> {
    const identified = await Promise.all(
      upload.files.map(async (file) => ({ file, kind: await identify(file) })),
    );
    const { key: datasetKey } = await ensureDataset(deps, caller);
    const incoming = identified.map((one) =>
      prepareFile({ ...caller, datasetKey }, upload, one, newLocation(caller, one.file)),
    );
    await requireMatches(deps, caller.filters, incoming);
    return { datasetKey, incoming };
  };
}
