import { escapeIdentifier, type Pool } from 'pg';

const INTERVAL_MS = 10_000;

/**
 * Replaces autovacuum, which the embedded database does not have. Vacuuming reclaims the space of
 * deleted rows, and updates the visibility map, which index-only scans need.
 *
 * @returns a function that stops it, and waits for a running VACUUM
 */
export function keepVacuumed(pool: Pool, intervalMs = INTERVAL_MS): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    // After an error, it is tried again at the next interval.
    running = running.then(() => vacuum(pool)).catch(() => {});
  }, intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** Vacuums tables in which more than a twentieth of the rows plus 1000 are new or deleted. */
async function vacuum(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_stat_user_tables
     WHERE n_dead_tup + n_ins_since_vacuum > 1000 + n_live_tup / 20`,
  );
  for (const { name } of rows) await pool.query(`VACUUM (ANALYZE) ${escapeIdentifier(name)}`);
}
