import { readFile } from 'node:fs/promises';

/** Created by `npm run generate`: a dump of a database with tables and without rows. */
export const EMPTY_DATABASE = new URL('../../generated/empty-database.tar.gz', import.meta.url);

/**
 * The initial content of a new embedded database. Restoring it takes half a second. Migrations that
 * it does not contain are applied as usual. If the file does not exist, PGlite runs initdb, which
 * takes six seconds.
 */
export async function readEmptyDatabase(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(EMPTY_DATABASE)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
