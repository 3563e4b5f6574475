import type { Pool, PoolClient } from 'pg';
import { reasonOf } from '../../core/reason-of.ts';
import {
  applyRecorded,
  createHistory,
  type MigrationAttempt,
  readHistory,
  recordRollback,
} from './migration-history.ts';
import { type Migration, matchesChecksum } from './migrations.ts';
import { isOutage } from './outage.ts';
import { withConnection } from './with-connection.ts';

/** An advisory lock of the database. Prisma's own tools take the same one. */
export const MIGRATION_LOCK = 72_707_369;

/**
 * Applies the migrations that the database lacks, as `prisma migrate deploy` does and with the
 * same records, so that either may be used on the same database. Each is one transaction, and so
 * applied wholly or not at all: it cannot hold statements that PostgreSQL refuses in one, such as
 * CREATE INDEX CONCURRENTLY. Gateways that start at once wait for each other.
 *
 * @returns the names of those that were applied now
 * @throws what PostgreSQL says against one, or that one was left unfinished by Prisma's tools
 */
export async function applyMigrations(pool: Pool, migrations: Migration[]): Promise<string[]> {
  // Without the lock: most starts have nothing to apply, and need not wait for anyone.
  const history = await readHistory(pool);
  if (history && lackingIn(history, migrations).length === 0 && !unfinishedIn(history)) return [];
  await withLock(pool, async (client) => {
    if (await readHistory(client)) return;
    await refuseForeignSchema(client);
    await createHistory(client);
  });
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(pool, migrations);
    if (!name) return applied;
    applied.push(name);
  }
}

/** The applied migrations whose SQL was another then. */
export async function editedMigrations(pool: Pool, migrations: Migration[]): Promise<string[]> {
  const history = (await readHistory(pool)) ?? [];
  const checksums = new Map(
    history.filter(isApplied).map(({ name, checksum }) => [name, checksum]),
  );
  return migrations
    .filter(({ name, sql }) => {
      const checksum = checksums.get(name);
      return checksum !== undefined && !matchesChecksum(sql, checksum);
    })
    .map(({ name }) => name);
}

/** @returns its name, or `undefined` when there is none left */
async function applyNext(pool: Pool, migrations: Migration[]): Promise<string | undefined> {
  let next: Migration | undefined;
  try {
    return await withLock(pool, async (client) => {
      const history = (await readHistory(client)) ?? [];
      const unfinished = unfinishedIn(history);
      if (unfinished) throw unfinishedError(unfinished);
      [next] = lackingIn(history, migrations);
      if (next) await applyRecorded(client, next);
      return next?.name;
    });
  } catch (error) {
    if (!next || isOutage(error)) throw error;
    const failed = next;
    const reason = reasonOf(error);
    // Where this fails too, the first failure is what the operator is told.
    await withConnection(pool, (client) => recordRollback(client, failed, reason)).catch(() => {});
    throw new Error(`migration ${failed.name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * A transaction that has the lock alone. The lock is the transaction's: one of the session would
 * be lost behind a pooler in transaction mode.
 */
async function withLock<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client) => {
    // What was committed while it waited for the lock is seen in this mode alone.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    try {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

function isApplied({ finished, rolledBack }: MigrationAttempt): boolean {
  return finished !== null && rolledBack === null;
}

function lackingIn(history: MigrationAttempt[], migrations: Migration[]): Migration[] {
  const applied = new Set(history.filter(isApplied).map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Ours leave none: Prisma's do when a migration fails, or when they are killed. */
function unfinishedIn(history: MigrationAttempt[]): MigrationAttempt | undefined {
  return history.find(({ finished, rolledBack }) => finished === null && rolledBack === null);
}

/** What Prisma calls P3009. */
function unfinishedError({ name, started }: MigrationAttempt): Error {
  return new Error(
    `migration ${name}, started at ${started.toISOString()}, failed, and no other is applied (P3009): ` +
      `undo what it did and run "npx prisma migrate resolve --rolled-back ${name}", ` +
      `or do what it lacks and run "npx prisma migrate resolve --applied ${name}"`,
  );
}

/** As Prisma does (P3005): tables of somebody else are left alone. What extensions brought does not count. */
async function refuseForeignSchema(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
         AND NOT EXISTS (
           SELECT FROM pg_depend
           WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
         )
     ) AS found`,
  );
  if (rows[0]?.found) throw new Error('The database schema is not empty');
}
