import { toPublicError } from '../core/errors.ts';

/** What no object has as its id: to look for it takes a credential all the same. */
const NOTHING = { typename: 'File', id: '' };

/** Reads a global id; one that we never gave is the id of nothing. */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const text = Buffer.from(globalId, 'base64').toString();
  const [, typename, id] = /^(File|Dataset):(.+)$/s.exec(text) ?? [];
  return typename && id ? { typename, id } : NOTHING;
}

/** Null where an id names nothing that the caller may see, whatever the reason. */
export async function orNull<T>(load: () => Promise<T | null>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if ([400, 403, 404].includes(toPublicError(error).status)) return null;
    throw error;
  }
}
