import { randomUUID } from 'node:crypto';
import { newLoaderKey } from '../../core/loader-key.ts';
import type { JsonObject, ReceivedFile, SpooledFile } from '../../core/model.ts';
import { extensionOf, objectPath } from '../../core/object-path.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import type { DatasetCaller } from '../guard.ts';
import type { IncomingFile } from './ingest.ts';
import type { NewFile } from './insert-files.ts';
import type { Upload } from './read-upload.ts';
import type { FileIntent } from './remove-files.ts';
import { withDemanded } from './with-demanded.ts';

type Owner = Pick<DatasetCaller, 'customerKey' | 'customerId' | 'datasetId'>;

/** The ids of a file, and the path of its stored copy. */
export interface FileLocation extends FileIntent {
  fileId: string;
}

/** Chooses the location of a new file. */
export function newLocation(
  { customerId, datasetId }: Owner,
  { originalName }: Pick<SpooledFile, 'originalName'>,
): FileLocation {
  const fileId = randomUUID();
  const path = objectPath({ customerId, datasetId, fileId, originalName });
  return { fileId, loaderKey: newLoaderKey(), path };
}

/** A file to ingest, with the record that publishes it. */
export interface PreparedFile extends IncomingFile {
  file: ReceivedFile;
  record: NewFile;
}

/** Prepares a file, which gets the metadata that the caller's filters require. */
export function prepareFile(
  {
    customerKey,
    customerId,
    datasetId,
    datasetKey,
    filters,
  }: Owner & Pick<DatasetCaller, 'filters'> & { datasetKey: number },
  { chunkSize, chunkOverlap }: Pick<Upload, 'chunkSize' | 'chunkOverlap'>,
  { file, kind }: { file: ReceivedFile & { extraMeta: JsonObject | null }; kind: FileKind },
  { fileId, loaderKey, path }: FileLocation,
): PreparedFile {
  const { originalName } = file;
  const extraMeta = withDemanded(filters, file.extraMeta);
  const { mimeType } = kind;
  return {
    file,
    kind,
    path,
    scope: { customerKey, datasetKey, loaderKey },
    extraMeta,
    fileMetadata: { fileId, originalName, customerId, datasetId, mimeType },
    chunkSize,
    chunkOverlap,
    record: {
      id: fileId,
      datasetId,
      loaderKey,
      path,
      originalName,
      extension: extensionOf(originalName),
      mimeType,
      size: file.size,
      contentHash: file.contentHash,
      extraMeta,
    },
  };
}
