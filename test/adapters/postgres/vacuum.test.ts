import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/postgres/database.ts';
import { keepVacuumed } from '../../../src/adapters/postgres/embedded-vacuum.ts';
import { newDataFolder } from '../../support/process.ts';

it('the embedded database vacuums what has changed, and what has not it leaves alone', async () => {
  const { dataDir, remove } = await newDataFolder();
  const { pool, close } = await openDatabase({ kind: 'embedded', dataDir, share: false });
  await pool.query('CREATE TABLE busy AS SELECT generate_series(1, 3000) AS number');
  await pool.query('CREATE TABLE idle AS SELECT 1 AS number');
  await pool.query('DELETE FROM busy WHERE number > 1000');
  const stop = keepVacuumed(pool, 50);
  const counts = `SELECT n_dead_tup::int AS dead, vacuum_count::int AS times FROM pg_stat_user_tables`;
  const of = async (table: string) =>
    (await pool.query(`${counts} WHERE relname = $1`, [table])).rows[0];

  await expect.poll(() => of('busy'), { timeout: 10_000 }).toEqual({ dead: 0, times: 1 });
  await setTimeout(200);
  await stop();
  expect(await of('busy')).toEqual({ dead: 0, times: 1 });
  expect(await of('idle')).toMatchObject({ times: 0 });
  await close();
  await remove();
});
