import { type Database, openDatabase } from '../../../src/adapters/postgres/database.ts';
import { readConfig } from '../../../src/config/config.ts';
import { collectSeldom } from '../../../src/runtime/garbage-collection.ts';
import { createScratchPlace } from './scratch-place.ts';

/**
 * A database of its own, gone at the end: on the server of DATABASE_URL when there is one, else
 * embedded. This process, which is in the place of a gateway, collects garbage as one does.
 */
export async function openScratchDatabase(): Promise<Database & { kind: string }> {
  collectSeldom();
  const { kind, settings, remove } = await createScratchPlace();
  const { database: options } = readConfig(settings);
  const database = await openDatabase(
    options.kind === 'embedded' ? { ...options, share: false } : options,
  );
  return {
    ...database,
    kind,
    async close() {
      await database.close();
      await remove();
    },
  };
}
