import { Pool, type PoolConfig } from 'pg';
import { refusalOf } from './refusals.ts';
import { applyMigrations, migrationNames } from './schema-engine.ts';

/** An advisory lock of the database. Prisma's engine takes the same one. */
export const MIGRATION_LOCK = 72_707_369;

/**
 * Brings the tables up to date, wholly or not at all. Gateways that start at once wait for each other.
 *
 * @param setting the variable that led to the database
 * @throws OperatorError that says why it cannot be done
 */
export async function migrate(connection: PoolConfig, setting: string): Promise<void> {
  // One connection: all is done in its one transaction.
  const pool = new Pool({ ...connection, max: 1 });
  try {
    if (await isUpToDate(pool)) return;
    await pool.query(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    if (!(await isUpToDate(pool))) await applyMigrations(pool);
    await end(pool, 'COMMIT');
  } catch (error) {
    await end(pool, 'ROLLBACK').catch(() => {});
    throw refusalOf(setting, error);
  } finally {
    await pool.end();
  }
}

/** The engine's lock is of the session, and so outlives the transaction where a pooler keeps the session. */
async function end(pool: Pool, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await pool.query(`${how}; SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
}

/** Whether every migration is recorded as applied; then the engine, which is slow to load, is not needed. */
async function isUpToDate(pool: Pool): Promise<boolean> {
  const { rows: tables } = await pool.query("SELECT to_regclass('_prisma_migrations') AS found");
  if (!tables[0]?.found) return false;
  const { rows } = await pool.query<{ name: string; applied: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS applied
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const applied = new Set(rows.filter((row) => row.applied).map(({ name }) => name));
  const names = await migrationNames();
  return rows.every((row) => row.applied) && names.every((name) => applied.has(name));
}
