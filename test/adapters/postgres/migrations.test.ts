import { Pool, type PoolConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  applyMigrations,
  MIGRATION_LOCK,
} from '../../../src/adapters/postgres/apply-migrations.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/adapters/postgres/embedded-postgres.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import {
  checksumOf,
  type Migration,
  matchesChecksum,
  readMigrations,
} from '../../../src/adapters/postgres/migrations.ts';
import { ask, dropTables, newServerDatabase, SERVER_URL } from '../../support/databases.ts';
import { diffFromSchema } from '../../support/schema-diff.ts';

let postgres: EmbeddedPostgres;
let pool: Pool;
let migrations: Migration[];
let applied: string[];

beforeAll(async () => {
  postgres = await startEmbeddedPostgres();
  await dropTables(connection());
  pool = new Pool({ ...connection(), max: 1 });
  migrations = await readMigrations();
  // Three gateways start at once.
  const gateways = Array.from({ length: 3 }, () => new Pool({ ...connection(), max: 1 }));
  const lists = await Promise.all(gateways.map((one) => applyMigrations(one, migrations)));
  await Promise.all(gateways.map((one) => one.end()));
  applied = lists.flat().sort();
});
afterAll(async () => {
  await pool.end();
  await postgres.close();
});

function connection(): PoolConfig {
  return { host: postgres.socketDirectory, user: 'postgres', database: 'postgres' };
}

test('an empty database gets every migration once, whoever starts at the same time', () => {
  expect(applied).not.toEqual([]);
  expect(applied).toEqual(migrations.map(({ name }) => name));
});

test.runIf(SERVER_URL)(
  'those that wait for each other on a server see what the first did',
  async () => {
    const database = await newServerDatabase(SERVER_URL ?? '');
    const pools = Array.from({ length: 4 }, () => new Pool({ ...database.connection, max: 1 }));
    const [first, ...gateways] = pools as [Pool, ...Pool[]];
    await first.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const lists = gateways.map((one) => applyMigrations(one, migrations));
    await expect
      .poll(() => ask(database.connection, WAITING))
      .toEqual([{ count: String(gateways.length) }]);
    await first.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    expect((await Promise.all(lists)).flat().sort()).toEqual(migrations.map(({ name }) => name));
    await Promise.all(pools.map((one) => one.end()));
    await database.remove();
  },
);

/** How many sessions of the database wait for the lock of migrations. */
const WAITING = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

test('a second time there is nothing to apply', async () => {
  expect(await applyMigrations(pool, migrations)).toEqual([]);
});

test('the migrations make what schema.prisma says', async () => {
  const missing = await diffFromSchema(pool);
  expect(
    missing.trim(),
    `put this into a new migration below prisma/migrations:\n\n${missing}`,
  ).toBe('-- This is an empty migration.');
});

test('no table can be read by roles that do not own it, not even by a grant', async () => {
  await pool.query('CREATE ROLE publishable; GRANT USAGE ON SCHEMA public TO publishable');
  await pool.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO publishable');
  const { rows } = await pool.query<{ name: string; open: boolean }>(
    `SELECT oid::regclass::text AS name, NOT relrowsecurity AS open FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY name`,
  );
  expect(rows.map(({ name }) => name)).toContain('_prisma_migrations');
  expect(rows.filter(({ open }) => open)).toEqual([]);
  await pool.query("INSERT INTO customer (id, name) VALUES ('acme', 'ACME')");
  const seen = await pool.query('SET ROLE publishable; SELECT * FROM customer; RESET ROLE');
  expect((seen as unknown as { rows: unknown[] }[])[1]?.rows).toEqual([]);
});

test('what is not as schema.prisma says is told, with the SQL that mends it', async () => {
  await pool.query('ALTER TABLE customer ALTER name DROP NOT NULL, ADD stray integer');
  await pool.query('DROP INDEX dataset_customer_key_key_key');
  const missing = await diffFromSchema(pool);
  expect(missing).toContain('DROP COLUMN "stray"');
  expect(missing).toContain('ALTER COLUMN "name" SET NOT NULL');
  expect(missing).toContain(
    'CREATE UNIQUE INDEX "dataset_customer_key_key_key" ON "dataset"("customer_key", "key")',
  );
});

test('what was edited after it had been applied is told', async () => {
  const told: string[][] = [];
  const opened = () => migrate(connection(), 'DATA_DIR', (names) => told.push(names));
  await opened();
  expect(told).toEqual([]);
  const [, second] = migrations;
  await pool.query(
    'UPDATE _prisma_migrations SET checksum = reverse(checksum) WHERE migration_name = $1',
    [second?.name],
  );
  await opened();
  expect(told).toEqual([[second?.name]]);
});

test('line ends may differ, as in a checkout on Windows', () => {
  const [unix, windows] = ['SELECT 1;\nSELECT 2;\n', 'SELECT 1;\r\nSELECT 2;\r\n'];
  expect(matchesChecksum(windows, checksumOf(unix))).toBe(true);
  expect(matchesChecksum(unix, checksumOf(windows))).toBe(true);
  expect(matchesChecksum(`${unix} `, checksumOf(unix))).toBe(false);
});

describe('a migration that fails', () => {
  const broken = { name: '9_broken', sql: 'CREATE TABLE half (a integer); SELECT 1 / 0' };
  const attempt = () => applyMigrations(pool, [...migrations, broken]);
  const recorded = async () =>
    (await pool.query("SELECT * FROM _prisma_migrations WHERE migration_name = '9_broken'")).rows;

  test('changes nothing, and is recorded once, however often it is tried', async () => {
    for (let times = 0; times < 2; times++) {
      await expect(attempt()).rejects.toThrow(
        'migration 9_broken failed and was rolled back: division by zero',
      );
    }
    expect((await pool.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }]);
    expect(await recorded()).toMatchObject([
      {
        finished_at: null,
        applied_steps_count: 0,
        logs: 'division by zero',
        rolled_back_at: expect.any(Date),
      },
    ]);
  });

  test('is applied when it is mended', async () => {
    const mended = { ...broken, sql: 'CREATE TABLE half (a integer)' };
    expect(await applyMigrations(pool, [...migrations, mended])).toEqual(['9_broken']);
    expect(await recorded()).toHaveLength(2);
  });

  test('is refused by PostgreSQL where it cannot be in a transaction', async () => {
    const concurrent = { name: '9_concurrent', sql: 'CREATE INDEX CONCURRENTLY ON half (a)' };
    await expect(applyMigrations(pool, [...migrations, concurrent])).rejects.toThrow(
      /^migration 9_concurrent .*: CREATE INDEX CONCURRENTLY cannot run inside a transaction block$/,
    );
  });
});
