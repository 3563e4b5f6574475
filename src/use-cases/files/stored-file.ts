import { formatLoaderId } from '../../core/loader-id.ts';
import type { JsonObject, SrtEntry, StoredFile } from '../../core/model.ts';
import type { File } from '../../generated/prisma/client.ts';

/** A file's record in our own words. */
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
  };
}

/** The database keeps the fields of JSON in an order of its own; people read them in this one. */
function toSubtitles(entries: SrtEntry[] | null): SrtEntry[] | null {
  return (
    entries?.map(({ id, startTime, endTime, text }) => ({ id, startTime, endTime, text })) ?? null
  );
}
