import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { applyMigrations } from '../../../src/adapters/postgres/apply-migrations.ts';
import { openDatabase } from '../../../src/adapters/postgres/database.ts';
import { type Migration, readMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { dropTables } from '../../support/databases.ts';
import { runIn } from '../../support/process.ts';
import { type ServedDatabase, serveDatabase } from '../../support/served-database.ts';

/* Prisma's own command line and ours, on the same database. */

const ENGINE = fileURLToPath(new URL('../../support/schema-engine-main.ts', import.meta.url));
const LIMITS = {
  migrationUrl: undefined,
  poolSize: 2,
  statementTimeoutMs: 9000,
  idleTimeoutMs: 1000,
};

let database: ServedDatabase;
let url: string;
let pool: Pool;

beforeAll(async () => {
  database = await serveDatabase({ tables: false });
  url = database.settings['DATABASE_URL'] ?? '';
  pool = new Pool({ ...database.connection, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.remove();
});
beforeEach(() => dropTables(database.connection));

/** What `prisma migrate` ends with and prints. */
async function prismaMigrate(...args: string[]): Promise<{ code: number | null; text: string }> {
  const { code, stdout, stderr } = await runIn(
    process.cwd(),
    process.execPath,
    ['node_modules/prisma/build/index.js', 'migrate', ...args],
    {
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      DATABASE_URL: url,
      PRISMA_SCHEMA_ENGINE_BINARY: ENGINE,
      CHECKPOINT_DISABLE: '1',
      NODE_COMPILE_CACHE: getCompileCacheDir() ?? '',
    },
  ).ended;
  return { code, text: stdout + stderr };
}

async function openAndClose(): Promise<void> {
  const { close } = await openDatabase({ kind: 'server', ...LIMITS, url });
  await close();
}

/** The columns of records, but for identifiers, and times but for whether there are any. */
async function records(): Promise<object[]> {
  const { rows } = await pool.query('SELECT * FROM _prisma_migrations ORDER BY started_at');
  return rows.map(({ id, ...row }) => {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const isTime = (value: unknown) => value instanceof Date;
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, isTime(value) ? 'a time' : value]),
    );
  });
}

/** Folders with migrations, and the option that makes Prisma's command line read them. */
async function asPrismaReadsThem(migrations: Migration[]): Promise<string> {
  const folder = await mkdtemp(join(inject('folder'), 'prisma-'));
  const path = join(folder, 'migrations');
  for (const { name, sql } of migrations) {
    await mkdir(join(path, name), { recursive: true });
    await writeFile(join(path, name, 'migration.sql'), sql);
  }
  await writeFile(join(path, 'migration_lock.toml'), 'provider = "postgresql"\n');
  const config = {
    schema: join(process.cwd(), 'prisma/schema.prisma'),
    migrations: { path },
    datasource: { url },
  };
  const file = join(folder, 'prisma.config.mjs');
  await writeFile(file, `export default ${JSON.stringify(config)};`);
  return `--config=${file}`;
}

const WORKS = { name: '1_works', sql: 'CREATE TABLE one (a integer)' };
const BROKEN = { name: '2_broken', sql: 'CREATE TABLE two (a integer); SELECT 1 / 0' };
const MENDED = { ...BROKEN, sql: 'CREATE TABLE two (a integer)' };

test('Prisma finds nothing to do after us, and we after Prisma; the records are alike', async () => {
  await openAndClose();
  expect(await prismaMigrate('status')).toMatchObject({
    code: 0,
    text: expect.stringContaining('Database schema is up to date!'),
  });
  const ours = await records();

  await dropTables(database.connection);
  expect(await prismaMigrate('deploy')).toMatchObject({
    code: 0,
    text: expect.stringContaining('All migrations have been successfully applied.'),
  });
  expect(await applyMigrations(pool, await readMigrations())).toEqual([]);
  await openAndClose();
  expect(ours).toEqual(await records());
});

test('what failed with Prisma stops us until it is resolved with Prisma', async () => {
  const broken = await asPrismaReadsThem([WORKS, BROKEN]);
  expect(await prismaMigrate('deploy', broken)).toMatchObject({
    code: 1,
    text: expect.stringContaining('division by zero'),
  });
  await expect(applyMigrations(pool, [WORKS, MENDED])).rejects.toThrow(
    /^migration 2_broken, started at 2.*Z, failed, .* \(P3009\): .*"npx prisma migrate resolve --rolled-back 2_broken"/,
  );
  await prismaMigrate('resolve', '--rolled-back', '2_broken', broken);
  expect(await applyMigrations(pool, [WORKS, MENDED])).toEqual(['2_broken']);
});

test('what failed with us is for Prisma what was rolled back, and it goes on from there', async () => {
  await expect(applyMigrations(pool, [WORKS, BROKEN])).rejects.toThrow(
    'migration 2_broken failed and was rolled back: division by zero',
  );
  const { code, text } = await prismaMigrate('deploy', await asPrismaReadsThem([WORKS, MENDED]));
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('2_broken/') });
  expect(text).not.toContain('1_works/');
  expect(await applyMigrations(pool, [WORKS, MENDED])).toEqual([]);
});
