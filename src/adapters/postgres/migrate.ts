import type { PoolConfig } from 'pg';
import { applyMigrations, editedMigrations } from './apply-migrations.ts';
import { createPool } from './create-pool.ts';
import { diagnose } from './diagnostics.ts';
import { readMigrations } from './migrations.ts';

/**
 * Applies pending migrations.
 *
 * @param setting the setting that names the database, for errors
 * @param onEdited called with the names of migrations whose SQL was changed after they were applied
 * @throws ConfigurationError with the reason
 */
export async function migrate(
  connection: PoolConfig,
  setting: string,
  onEdited: (names: string[]) => void = () => {},
): Promise<void> {
  const pool = createPool({ ...connection, max: 1 });
  try {
    const migrations = await readMigrations();
    await applyMigrations(pool, migrations);
    const edited = await editedMigrations(pool, migrations);
    if (edited.length > 0) onEdited(edited);
  } catch (error) {
    throw diagnose(setting, error);
  } finally {
    await pool.end();
  }
}
