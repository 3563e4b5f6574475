import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/adapters/postgres/database.ts';
import { createQuery } from '../../../src/adapters/postgres/query.ts';
import { withConnection } from '../../../src/adapters/postgres/with-connection.ts';
import { newDataFolder } from '../../support/process.ts';

/* Statements on connections that keep what was prepared, that lose it, and that break. */

let folder: Awaited<ReturnType<typeof newDataFolder>>;
let database: Database;
beforeAll(async () => {
  folder = await newDataFolder();
  // All its connections share one session, as those of a pooler's clients may.
  database = await openDatabase({ kind: 'embedded', dataDir: folder.dataDir, share: false });
});
afterAll(async () => {
  await database.close();
  await folder.remove();
});
beforeEach(async () => {
  await database.pool.query('DEALLOCATE ALL');
});

const twice = (value: number) => ({ text: 'SELECT $1::int * 2 AS doubled', values: [value] });

async function prepared(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int FROM pg_prepared_statements',
  );
  return rows[0]?.count ?? 0;
}

it('a statement is prepared once', async () => {
  const query = createQuery(database.pool);
  for (const value of [1, 2, 3])
    expect(await query(twice(value))).toEqual([{ doubled: 2 * value }]);
  expect(await prepared()).toBe(1);
});

it('no more statements are prepared than one allows, and the others run all the same', async () => {
  const query = createQuery(database.pool, { mostPrepared: 2 });
  for (const text of ['SELECT 1 AS one', 'SELECT 2 AS one', 'SELECT 3 AS one', 'SELECT 1 AS one']) {
    expect(await query({ text, values: [] })).toEqual([{ one: Number(text[7]) }]);
  }
  expect(await prepared()).toBe(2);
});

it('one that was lost is run all the same, and no longer prepared', async () => {
  const query = createQuery(database.pool);
  await query(twice(1));
  await database.pool.query('DEALLOCATE ALL');
  expect(await query(twice(2))).toEqual([{ doubled: 4 }]);
  expect(await query(twice(3))).toEqual([{ doubled: 6 }]);
  expect(await prepared()).toBe(0);
});

it('one that somebody else prepared in the same session is run all the same', async () => {
  const query = createQuery(database.pool);
  const values = Array.from({ length: 20 }, (_, at) => at);
  const rows = await Promise.all(values.map((value) => query(twice(value))));
  expect(rows).toEqual(values.map((value) => [{ doubled: 2 * value }]));
});

it('a statement that fails is not run twice', async () => {
  const query = createQuery(database.pool);
  await database.pool.query('CREATE TABLE tried (id serial, value int CHECK (value > 0))');
  const add = (value: number) =>
    query({ text: 'INSERT INTO tried (value) VALUES ($1) RETURNING id', values: [value] });
  await expect(add(-1)).rejects.toMatchObject({ code: '23514' });
  expect(await add(1)).toEqual([{ id: 2 }]);
});

it('a connection that breaks while it is used fails its statement, and nothing else', async () => {
  const failing = withConnection(database.pool, async (client) => {
    const running = client.query('SELECT pg_sleep(0.2)');
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    await running;
  });
  await expect(failing).rejects.toThrow('Connection terminated unexpectedly');
  expect(await createQuery(database.pool)(twice(1))).toEqual([{ doubled: 2 }]);
});
