import { readFile } from 'node:fs/promises';

/** Made by `npm run generate`: what PGlite's `dumpDataDir` gives of a database with its tables. */
export const EMPTY_DATABASE = new URL('../../generated/empty-database.tar.gz', import.meta.url);

/**
 * What a new embedded database begins with: copying it takes half a second. Migrations that are
 * newer than it are applied as in any database. Where it was not generated, PGlite makes a
 * database by initdb, which takes six seconds.
 */
export async function readEmptyDatabase(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(EMPTY_DATABASE)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
