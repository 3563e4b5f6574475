import type { StoredFile } from '../core/model.ts';

/** The address of a file in REST. It has no signature, so it costs nothing and gives no access. */
export function fileUrl(
  { fileId, datasetId }: Pick<StoredFile, 'fileId' | 'datasetId'>,
  publicUrl: string,
): string {
  return `${publicUrl}/v1/files/${fileId}?datasetId=${encodeURIComponent(datasetId)}`;
}
