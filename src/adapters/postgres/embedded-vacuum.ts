import { escapeIdentifier, type Pool } from 'pg';

const INTERVAL_MS = 10_000;

/**
 * Does what autovacuum does on a server, where the embedded database has none: gives room of
 * removed rows back, and marks pages whose rows all see, so that searches read an index only.
 *
 * @returns the end of it, which waits for what runs
 */
export function keepVacuumed(pool: Pool, intervalMs = INTERVAL_MS): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    // A database that is busy or away is vacuumed the next time.
    running = running.then(() => vacuum(pool)).catch(() => {});
  }, intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** Vacuums the tables of which a twentieth, and a thousand rows, are new or gone. */
async function vacuum(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_stat_user_tables
     WHERE n_dead_tup + n_ins_since_vacuum > 1000 + n_live_tup / 20`,
  );
  for (const { name } of rows) await pool.query(`VACUUM (ANALYZE) ${escapeIdentifier(name)}`);
}
