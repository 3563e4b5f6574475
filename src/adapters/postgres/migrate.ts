import type { PoolConfig } from 'pg';
import { applyMigrations, editedMigrations } from './apply-migrations.ts';
import { createPool } from './create-pool.ts';
import { readMigrations } from './migrations.ts';
import { refusalOf } from './refusals.ts';

/**
 * Brings the tables up to date.
 *
 * @param setting the variable that led to the database
 * @param onEdited told the names of migrations that were applied with other SQL than they have now
 * @throws ConfigurationError that says why it cannot be done
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
    throw refusalOf(setting, error);
  } finally {
    await pool.end();
  }
}
