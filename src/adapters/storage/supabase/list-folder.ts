import type { ListedObject } from '../../../ports/object-storage.ts';
import type { Calls } from './calls.ts';

/** The server lists no more than 1,500 at once. */
const PAGE = 1000;

/** The objects directly in a folder, in pages, by name. */
export async function* listFolder(
  { call }: Calls,
  bucket: string,
  folder: string,
): AsyncGenerator<ListedObject[]> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await call('listing', (storage) =>
      storage.from(bucket).list(folder, {
        limit: PAGE,
        offset,
        sortBy: { column: 'name', order: 'asc' },
      }),
    );
    // A folder has no id.
    yield page
      .filter(({ id }) => id)
      .map(({ name, metadata, updated_at, created_at }) => ({
        path: `${folder}/${name}`,
        size: sizeIn(metadata),
        modified: new Date(updated_at ?? created_at ?? 0),
      }));
    if (page.length < PAGE) return;
  }
}

function sizeIn(metadata: { size?: unknown } | null | undefined): number | null {
  return typeof metadata?.size === 'number' ? metadata.size : null;
}
