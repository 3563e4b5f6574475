import type { JsonObject, SrtEntry, StoredFile } from '../../core/model.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Caller } from '../guard.ts';
import { STORED_FILE, type StoredFileRow, toStoredFiles } from './file-records.ts';

/** The record of a file to be published. */
export interface NewFile {
  id: string;
  datasetId: string;
  loaderKey: bigint;
  path: string;
  originalName: string;
  extension: string;
  mimeType: string;
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  contentHash: string;
  extraMeta: JsonObject | null;
  transcriptionText?: string;
  transcriptionSrt?: SrtEntry[];
}

/**
 * Inserts the records of files, and returns the files in the same order. Prisma's
 * `createManyAndReturn` takes about ten times as long.
 */
export async function insertFiles(
  tx: Prisma.TransactionClient,
  owner: Pick<Caller, 'customerKey' | 'customerId'>,
  files: NewFile[],
): Promise<StoredFile[]> {
  const rows = files.map((file) => ({ ...file, loaderKey: String(file.loaderKey) }));
  const inserted = await tx.$queryRaw<StoredFileRow[]>`
    INSERT INTO file (customer_key, id, dataset_id, loader_key, path, original_name, extension,
      mime_type, size, content_hash, extra_meta, transcription_text, transcription_srt)
    SELECT ${owner.customerKey}, id, "datasetId", "loaderKey", path, "originalName", extension,
      "mimeType", size, decode("contentHash", 'hex'), "extraMeta", "transcriptionText",
      "transcriptionSrt"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS new(id uuid, "datasetId" text,
      "loaderKey" bigint, path text, "originalName" text, extension text, "mimeType" text,
      size bigint, "contentHash" text, "extraMeta" jsonb, "transcriptionText" text,
      "transcriptionSrt" jsonb)
    RETURNING ${STORED_FILE}`;
  return toStoredFiles(owner, inserted);
}
