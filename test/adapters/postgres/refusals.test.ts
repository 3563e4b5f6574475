import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/postgres/database.ts';
import { ask, newServerDatabase, SERVER_URL } from '../../support/databases.ts';
import { createFilequery } from '../../support/filequery.ts';
import { newDataFolder } from '../../support/process.ts';
import { type ServedDatabase, serveDatabase } from '../../support/served-database.ts';

/* Databases that cannot be used: what is wrong, and the cure, in one line. */

const LIMITS = {
  migrationUrl: undefined,
  poolSize: 2,
  statementTimeoutMs: 1000,
  idleTimeoutMs: 1000,
};
const NOWHERE = 'postgres://user:hidden@127.0.0.1:1/db';

let database: ServedDatabase;
let url: string;

beforeAll(async () => {
  database = await serveDatabase({ tables: true });
  url = database.settings['DATABASE_URL'] ?? '';
});
afterAll(() => database.remove());

/** What opening a database comes to. */
async function openingOf(options: { url: string; migrationUrl?: string }): Promise<string> {
  try {
    const { close } = await openDatabase({ kind: 'server', ...LIMITS, ...options });
    await close();
    return 'opened';
  } catch (error) {
    return String(error);
  }
}

describe('a wrong address', () => {
  it.each<[what: string, options: () => { url: string; migrationUrl?: string }, told: RegExp]>([
    [
      'where nobody listens',
      () => ({ url: NOWHERE }),
      /^ConfigurationError: DATABASE_URL: the server cannot be reached: .*ECONNREFUSED/,
    ],
    [
      'of the way past the pooler',
      () => ({ url, migrationUrl: NOWHERE }),
      /^ConfigurationError: MIGRATION_DATABASE_URL: the server cannot be reached: .*ECONNREFUSED/,
    ],
    [
      'of the pooler only',
      () => ({ url: NOWHERE, migrationUrl: url }),
      /^ConfigurationError: DATABASE_URL: the server cannot be reached: .*ECONNREFUSED/,
    ],
    [
      'with a password that is not escaped',
      () => ({ url: 'postgres://user:hidden#word@host:5432/db' }),
      /^ConfigurationError: DATABASE_URL: Invalid URL: special characters .* %40, and its port is at most 65535$/,
    ],
    [
      'with a port that is none',
      () => ({ url: 'postgres://user@host:99999/db' }),
      /^ConfigurationError: DATABASE_URL: Invalid URL: special characters .* %40, and its port is at most 65535$/,
    ],
  ])('%s', async (_, options, told) => {
    const line = await openingOf(options());
    expect(line).toMatch(told);
    expect(line).not.toMatch(/hidden|\n/);
  });

  it('of a server without TLS', async () => {
    // What PostgreSQL says to a client that asks for TLS and cannot have it.
    const server = createServer((socket) => socket.once('data', () => socket.end('N')));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    expect(await openingOf({ url: `postgres://u:p@127.0.0.1:${port}/db?sslmode=require` })).toBe(
      'ConfigurationError: DATABASE_URL: The server does not support SSL connections: remove sslmode from it',
    );
    server.close();
  });
});

describe('a server that is too old, or lacks pgvector', () => {
  /* The server itself says so: what it is asked is found first in a schema of the test. */
  const pretend = (sql: string) =>
    ask(
      database.connection,
      `DROP SCHEMA IF EXISTS pretence CASCADE; CREATE SCHEMA pretence; ${sql}; ${settle('pretence, pg_catalog, public')}`,
    );
  /** For sessions to come and, on the embedded database, for the one there is. */
  const settle = (path: string) =>
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = ${path}', current_database()); END $$; SET search_path = ${path}`;
  const extension = (available: string, installed: string) => `
    CREATE VIEW pretence.pg_available_extensions AS
    SELECT 'vector'::name AS name, ${available} AS default_version, ${installed} AS installed_version`;

  afterAll(() => ask(database.connection, `${settle('public')}; DROP SCHEMA pretence CASCADE`));

  it.each([
    [
      `CREATE FUNCTION pretence.current_setting(text) RETURNS text LANGUAGE sql
       AS $$ SELECT CASE $1 WHEN 'server_version_num' THEN '140012' ELSE '14.12' END $$`,
      'PostgreSQL 14.12 is too old: 15 or newer is needed',
    ],
    [
      'CREATE VIEW pretence.pg_available_extensions AS SELECT * FROM pg_catalog.pg_available_extensions WHERE false',
      'the server has no pgvector: install it (https://github.com/pgvector/pgvector)',
    ],
    [extension("'0.7.4'", 'NULL'), 'pgvector 0.7.4 is too old: install 0.8 or newer'],
    [
      extension("'0.8.1'", "'0.7.4'"),
      'pgvector 0.7.4 is too old: run ALTER EXTENSION vector UPDATE',
    ],
  ])('%#', async (sql, told) => {
    await pretend(sql);
    expect(await openingOf({ url })).toBe(`ConfigurationError: DATABASE_URL: ${told}`);
  });
});

describe('other defaults of a session', () => {
  /** For sessions to come and, on the embedded database, for the one there is. */
  const change = (name: string, to: string) =>
    ask(
      database.connection,
      `DO $$ BEGIN EXECUTE format($sql$ALTER DATABASE %I SET ${name} TO ${to}$sql$, current_database()); END $$; SET ${name} TO ${to}`,
    );

  it.each([
    ['default_transaction_isolation', 'repeatable read', 'read committed'],
    ['datestyle', 'SQL, DMY', 'ISO'],
  ])('%s = %s', async (name, wrong, right) => {
    await change(name, `'${wrong}'`);
    expect(await openingOf({ url })).toBe(
      `ConfigurationError: DATABASE_URL: its user has ${name} = '${wrong}': run ALTER ROLE CURRENT_USER SET ${name} = '${right}'`,
    );
    await change(name, 'DEFAULT');
    expect(await openingOf({ url })).toBe('opened');
  });
});

it.runIf(SERVER_URL)('a wrong name, user or password', async () => {
  await ask(database.connection, 'DROP ROLE IF EXISTS filequery_stranger');
  await ask(database.connection, "CREATE ROLE filequery_stranger LOGIN PASSWORD 'known'");
  const wrong = new URL(url);
  wrong.pathname = 'nowhere';
  expect(await openingOf({ url: wrong.href })).toMatch(
    /database "nowhere" does not exist: correct/,
  );
  const stranger = new URL(url);
  stranger.username = 'filequery_stranger';
  stranger.password = 'known';
  expect(await openingOf({ url: stranger.href })).toMatch(/permission denied .*: let the owner/);
  const empty = await newServerDatabase(SERVER_URL ?? '');
  stranger.pathname = empty.name;
  expect(await openingOf({ url: stranger.href })).toMatch(
    /pgvector is not in .*permission denied .*: let a superuser run CREATE EXTENSION vector in it$/,
  );
  await empty.remove();
  await ask(database.connection, 'DROP ROLE filequery_stranger');
  expect(await openingOf({ url: stranger.href })).toMatch(
    /"filequery_stranger".*: correct the user/,
  );
});

it('doctor names the setting beside all others, ends with 1, and tells no secret', async () => {
  const { dataDir, remove } = await newDataFolder();
  const settings = { DATABASE_URL: NOWHERE, TOKEN_SECRET: 'hidden-token-secret-0123456789abcdef' };
  const { code, stdout } = await createFilequery(dataDir, settings).run('doctor');
  await remove();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^start FAILS: DATABASE_URL: the server cannot be reached: /m);
  expect(stdout).toMatch(/^DATABASE_URL +set, not shown/m);
  expect(stdout).not.toContain('hidden');
});

it('a database with tables of somebody else is left alone', async () => {
  const { connection, settings, remove } = await serveDatabase({ tables: false });
  const options = { url: settings['DATABASE_URL'] ?? '' };
  await ask(connection, 'CREATE TABLE theirs (a integer)');
  expect(await openingOf(options)).toBe(
    'ConfigurationError: DATABASE_URL: The database schema is not empty: give filequery a database of its own',
  );
  // Nothing was done: with theirs away it is as good as new.
  await ask(connection, 'DROP TABLE theirs');
  expect(await openingOf(options)).toBe('opened');
  await remove();
});
