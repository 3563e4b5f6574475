import { Pool, type PoolConfig } from 'pg';
import { applyMigrations, migrationNames } from './schema-engine.ts';

/** Brings the tables up to date. Gateways that start at once wait for each other. */
export async function migrate(connection: PoolConfig): Promise<void> {
  // One connection: the schema engine holds a lock of its session.
  const pool = new Pool({ ...connection, max: 1 });
  try {
    if (!(await isUpToDate(pool))) await applyMigrations(pool);
  } finally {
    await pool.end();
  }
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
