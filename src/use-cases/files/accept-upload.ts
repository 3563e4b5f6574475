import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller } from '../guard.ts';
import { type Deduplicated, skipDuplicates } from './duplicates.ts';
import { fingerprintOf, readUpload, type Upload } from './read-upload.ts';
import type { ReceiveRemote } from './receive-remote.ts';

/** The steps before the work of an upload, for synchronous and asynchronous uploads; see `UseCase`. */
export function acceptUpload(deps: Pick<Dependencies, 'query'>, receive: ReceiveRemote) {
  return {
    read: readUpload,
    receive,
    prepare: (caller: DatasetCaller, upload: Upload) => skipDuplicates(deps, caller, upload),
    units: ({ files }: Deduplicated) => files.length,
    fingerprint: fingerprintOf,
  };
}
