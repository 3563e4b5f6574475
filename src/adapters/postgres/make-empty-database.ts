import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { SOCKET_NAME } from './embedded-postgres.ts';
import { EMPTY_DATABASE } from './empty-database.ts';
import { migrate } from './migrate.ts';
import { createWireServer } from './wire-server.ts';

/* Part of `npm run generate`. Takes a third of the time without V8's optimizing compiler. */

const folder = await mkdtemp(join(tmpdir(), 'filequery-'));
const database = await PGlite.create({ extensions: { vector } });
const { server, close } = createWireServer(database);
server.listen(join(folder, SOCKET_NAME));
await once(server, 'listening');
await migrate({ host: folder, user: 'postgres', database: 'postgres' }, 'DATA_DIR');
await close();
await rm(folder, { recursive: true });

// After a checkpoint, the first start has nothing to recover.
await database.query('CHECKPOINT');
const dump = await database.dumpDataDir('gzip');
await database.close();
// Replaced atomically, because a gateway may be starting.
const path = fileURLToPath(EMPTY_DATABASE);
await writeFile(`${path}.new`, await dump.bytes());
await rename(`${path}.new`, path);
