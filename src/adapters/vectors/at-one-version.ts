import { Prisma } from '../../generated/prisma/client.ts';
import type { ChunkScope } from '../../ports/chunk-index.ts';
import type { Query } from '../../ports/query.ts';
import type { Scored } from './store-documents.ts';

/** How often to search a dataset that changes all the time. */
const MOST_SEARCHES = 5;

/**
 * Repeats a search of several statements if a file was replaced between them: one may have found the old
 * file, and another the new one. The versions of the dataset are only compared if two files among the hits
 * have the same name.
 */
export function createAtOneVersion({ query }: { query: Query }) {
  return async function atOneVersion(
    scope: ChunkScope,
    search: () => Promise<Scored[]>,
  ): Promise<Scored[]> {
    let { version } = scope;
    for (let searches = 1; ; searches++) {
      const hits = await search();
      if (!hasNamesakes(hits) || searches === MOST_SEARCHES) return hits;
      const now = await versionOf(scope);
      if (now === version) return hits;
      version = now;
    }
  };

  async function versionOf({ customerKey, datasetKey }: ChunkScope): Promise<number | undefined> {
    const [dataset] = await query<{ version: number }>(Prisma.sql`
      SELECT version FROM dataset WHERE customer_key = ${customerKey} AND key = ${datasetKey}`);
    return dataset?.version;
  }
}

/** Whether two files among the hits have the same name. */
function hasNamesakes(hits: Scored[]): boolean {
  const files = new Map(hits.map(([{ metadata }]) => [metadata['fileId'], metadata]));
  const names = new Set(Array.from(files.values(), ({ originalName }) => originalName));
  return names.size < files.size;
}
