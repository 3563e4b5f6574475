import { toPublicError } from '../core/errors.ts';
import type { StoredFile } from '../core/model.ts';

/** An id that no object has. Looking for it still requires a credential. */
const NOTHING = { typename: 'File', id: '' };

/** Reads a global id; one that the gateway never returned is the id of no object. */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const text = Buffer.from(globalId, 'base64').toString();
  const [, typename, id] = /^(File|Dataset|Ingestion):(.+)$/s.exec(text) ?? [];
  return typename && id ? { typename, id } : NOTHING;
}

/** The part of a file's global id after its type. A dataset id may contain colons, a file id does not. */
export function fileNodeId({
  datasetId,
  fileId,
}: Pick<StoredFile, 'datasetId' | 'fileId'>): string {
  return `${fileId}:${datasetId}`;
}

/** The inverse of `fileNodeId`. Any other text is read as an id that no file has. */
export function readFileNodeId(id: string): { fileId: string; datasetId: string | undefined } {
  const [, fileId = '', datasetId] = /^([^:]*):(.*)$/s.exec(id) ?? [];
  return { fileId, datasetId };
}

/** Null if an id names no object that the caller may see, for whatever reason. */
export async function orNull<T>(load: () => Promise<T | null>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if ([400, 403, 404].includes(toPublicError(error).status)) return null;
    throw error;
  }
}
