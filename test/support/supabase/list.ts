import { metadataOf, type StoredObject } from './buckets.ts';
import { refusal } from './refusals.ts';

/** However many are asked for. */
const MOST = 1500;

interface Row {
  name: string;
  [field: string]: unknown;
}

/** The direct children of a folder: objects, and folders as rows of nulls. */
export function listFolder(
  objects: Map<string, StoredObject>,
  { prefix = '', limit = 100, offset = 0, search = '', sortBy }: Record<string, unknown>,
): Row[] {
  if (!(Number.isInteger(limit) && Number(limit) >= 1)) {
    throw refusal('InvalidRequest', 'body/limit must be >= 1');
  }
  if (!(Number.isInteger(offset) && Number(offset) >= 0)) {
    throw refusal('InvalidRequest', 'body/offset must be >= 0');
  }
  // Folders and searches are found in any case; only the order is told here, not the column.
  const folder = String(prefix) && `${String(prefix).replace(/\/$/, '')}/`;
  const rows = new Map<string, Row>();
  for (const [key, object] of objects) {
    if (!startsWith(key, folder)) continue;
    const [name = '', ...below] = key.slice(folder.length).split('/');
    if (!startsWith(name, String(search))) continue;
    // An object and a folder may have one name.
    if (below.length > 0) rows.set(`${name}/`, folderRow(name));
    else rows.set(name, objectRow(name, object));
  }
  const sign = (sortBy as { order?: string } | undefined)?.order === 'desc' ? -1 : 1;
  const sorted = [...rows.values()].sort(
    (a, b) => sign * (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
  );
  return sorted.slice(Number(offset), Number(offset) + Math.min(Number(limit), MOST));
}

function startsWith(text: string, start: string): boolean {
  return text.toLowerCase().startsWith(start.toLowerCase());
}

function objectRow(name: string, object: StoredObject): Row {
  const { id, updated_at, created_at } = object;
  const metadata = metadataOf(object);
  return { name, id, updated_at, created_at, last_accessed_at: created_at, metadata };
}

function folderRow(name: string): Row {
  return {
    name,
    id: null,
    updated_at: null,
    created_at: null,
    last_accessed_at: null,
    metadata: null,
  };
}
