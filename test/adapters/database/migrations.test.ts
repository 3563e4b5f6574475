import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/adapters/postgres/embedded-postgres.ts';
import { applyMigrations } from '../../../src/adapters/postgres/schema-engine.ts';
import { diffFromSchema } from '../../support/schema-diff.ts';

let postgres: EmbeddedPostgres;
let pool: Pool;
let applied: string[];

beforeAll(async () => {
  postgres = await startEmbeddedPostgres();
  pool = new Pool({
    host: postgres.socketDirectory,
    user: 'postgres',
    database: 'postgres',
    max: 1,
  });
  applied = await applyMigrations(pool);
});
afterAll(async () => {
  await pool.end();
  await postgres.close();
});

test('an empty database gets every migration, in the order of their names', () => {
  expect(applied).not.toEqual([]);
  expect(applied).toEqual(applied.toSorted());
});

test('a second time there is nothing to apply', async () => {
  expect(await applyMigrations(pool)).toEqual([]);
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
  await pool.query('DROP INDEX dataset_key_key');
  const missing = await diffFromSchema(pool);
  expect(missing).toContain('DROP COLUMN "stray"');
  expect(missing).toContain('ALTER COLUMN "name" SET NOT NULL');
  expect(missing).toContain('CREATE UNIQUE INDEX "dataset_key_key" ON "dataset"("key")');
});
