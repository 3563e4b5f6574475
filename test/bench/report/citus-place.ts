import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribute } from '../../../src/adapters/postgres/distribute.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import type { ScratchPlace } from './scratch-place.ts';

/**
 * A data folder, and the empty database of CITUS_DATABASE_URL: the coordinator of a cluster that knows
 * its servers. Its tables are made and distributed, and stay.
 */
export async function createCitusPlace(): Promise<Omit<ScratchPlace, 'kind'>> {
  const url = process.env['CITUS_DATABASE_URL'];
  if (!url) throw new Error('CITUS_DATABASE_URL must lead to an empty database of a coordinator');
  const connection = { connectionString: url };
  await migrate(connection, 'CITUS_DATABASE_URL');
  await distribute(connection, { shards: 32, onStep: () => {} });
  const dataDir = await mkdtemp(join(tmpdir(), 'filequery-bench-'));
  const secret = randomBytes(32).toString('hex');
  return {
    settings: { DATA_DIR: dataDir, DATABASE_URL: url, TOKEN_SECRET: secret },
    connection,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
