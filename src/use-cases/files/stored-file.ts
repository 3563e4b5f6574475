import { formatLoaderId } from '../../core/loader-id.ts';
import type { JsonObject, SrtEntry, StoredFile } from '../../core/model.ts';
import type { File } from '../../generated/prisma/client.ts';

/** A file from its record; the same as the SQL in `file-records.ts`, as a test of uploads checks. */
export function toStoredFile(record: File, customerId: string): StoredFile {
  return {
    customerId,
    datasetId: record.datasetId,
    fileId: record.id,
    filePath: record.path,
    originalName: record.originalName,
    mimeType: record.mimeType,
    size: record.size === null ? null : Number(record.size),
    loaderId: formatLoaderId(record.loaderKey),
    created: record.created.toISOString(),
    extension: record.extension,
    transcriptionText: record.transcriptionText,
    transcriptionSrt: toSubtitles(record.transcriptionSrt as SrtEntry[] | null),
    extraMeta: record.extraMeta as JsonObject | null,
    permanentUrl: record.permanentUrl,
    contentHash: record.contentHash && Buffer.from(record.contentHash).toString('hex'),
  };
}

/** `jsonb` does not keep the order of fields. */
function toSubtitles(entries: SrtEntry[] | null): SrtEntry[] | null {
  return (
    entries?.map(({ id, startTime, endTime, text }) => ({ id, startTime, endTime, text })) ?? null
  );
}
