import type { NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';
import {
  type EmbeddedPostgres,
  SOCKET_NAME,
  startEmbeddedPostgres,
} from '../../src/adapters/postgres/embedded-postgres.ts';
import {
  dropTables,
  newServerDatabase,
  SERVER_URL,
  settingsFor,
  type TestDatabase,
} from './databases.ts';
import { newDataFolder } from './process.ts';

/** A database that gateways reach by its URL. */
export interface ServedDatabase extends TestDatabase {
  /** Where it listens. */
  address: NetConnectOpts;
}

/**
 * A database on the server of TEST_DATABASE_URL; without one, an embedded database that this
 * process serves.
 *
 * @param tables whether it has its tables already
 */
export async function serveDatabase({ tables }: { tables: boolean }): Promise<ServedDatabase> {
  if (SERVER_URL) {
    const template = tables ? inject('emptyDatabase') : undefined;
    const database = await newServerDatabase(SERVER_URL, template);
    const { hostname, port } = new URL(SERVER_URL);
    return { ...database, address: { host: hostname, port: Number(port || 5432) } };
  }
  if (!tables) {
    const database = embedded(await startEmbeddedPostgres());
    await dropTables(database.connection);
    return database;
  }
  const folder = await newDataFolder();
  return embedded(await startEmbeddedPostgres(folder), folder.remove);
}

function embedded(
  { socketDirectory, close }: EmbeddedPostgres,
  removeFolder = async () => {},
): ServedDatabase {
  const settings = settingsFor({ host: socketDirectory });
  return {
    settings,
    connection: { connectionString: settings['DATABASE_URL'] },
    address: { path: join(socketDirectory, SOCKET_NAME) },
    async remove() {
      await close();
      await removeFolder();
    },
  };
}
