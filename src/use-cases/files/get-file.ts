import { AppError } from '../../core/errors.ts';
import type { StoredFile } from '../../core/model.ts';
import { isUuid } from '../../core/uuid.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { readFilesById, readStoredFiles, type WantedFiles } from './file-records.ts';
import { createPermanentUrls } from './permanent-urls.ts';

type Deps = Pick<Dependencies, 'query' | 'storage'>;

export interface FileInput {
  fileId: string;
}

export interface FilesInput {
  fileIds: readonly string[];
  /** Whether transcripts are read; otherwise they are null. Default: true. */
  transcripts?: boolean | undefined;
}

/** One file in a dataset. */
export function getFile(deps: Deps) {
  return {
    read: ({ fileId }: FileInput) => fileId,
    run: (caller, fileId) => caller.record.time('files', () => findFile(deps, caller, fileId)),
  } satisfies UseCase<'getFile', FileInput, string, Promise<StoredFile>>;
}

/** Finds files by their ids. What does not exist, or is not visible to the caller, is missing in the result. */
export function findFiles(deps: Pick<Dependencies, 'query'>) {
  return {
    read: ({ fileIds, transcripts }: FilesInput) => ({
      fileIds: fileIds.filter(isUuid),
      transcripts,
    }),
    run: (caller, wanted) => caller.record.time('files', () => readFilesById(deps, caller, wanted)),
  } satisfies UseCase<'findFiles', FilesInput, WantedFiles, Promise<StoredFile[]>>;
}

/** The signed download URLs of files, in their order; null for a file that is being deleted. */
export function signFiles(deps: Deps) {
  const permanentUrls = createPermanentUrls(deps);
  return {
    read: ({ files }: { files: StoredFile[] }) => files,
    run: ({ customerKey, record }, files) =>
      record.time('sign', () => permanentUrls(customerKey, files)),
  } satisfies UseCase<
    'signFiles',
    { files: StoredFile[] },
    StoredFile[],
    Promise<(string | null)[]>
  >;
}

/** @throws AppError FILE_NOT_FOUND, also for a file of another customer and for an invalid id */
export async function findFile(
  deps: Pick<Dependencies, 'query'>,
  caller: DatasetCaller,
  fileId: string,
): Promise<StoredFile> {
  const [file] = isUuid(fileId)
    ? await readStoredFiles(deps, caller, { which: Prisma.sql`AND id = ${fileId}::uuid` })
    : [];
  if (!file) throw new AppError('FILE_NOT_FOUND');
  return file;
}
