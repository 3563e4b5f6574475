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

/** The key of the advisory lock, which Prisma's own tools use as well. */
export const MIGRATION_LOCK = 72_707_369;

/**
 * Applies pending migrations and records them as `prisma migrate deploy` does: both can be used on
 * the same database. Each migration is one transaction. It must not contain statements that cannot
 * run in a transaction, such as CREATE INDEX CONCURRENTLY. Gateways that start concurrently wait for
 * each other.
 *
 * @returns the names of the migrations that were applied
 * @throws the error of PostgreSQL, or an error if Prisma's tools left a failed migration
 */
export async function applyMigrations(pool: Pool, migrations: Migration[]): Promise<string[]> {
  // Without the lock, because in most cases nothing is pending.
  const history = await readHistory(pool);
  if (history && pendingIn(history, migrations).length === 0 && !unfinishedIn(history)) return [];
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

/** The names of applied migrations whose SQL was changed afterwards. */
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

/** @returns the name of the migration, or `undefined` if none is pending */
async function applyNext(pool: Pool, migrations: Migration[]): Promise<string | undefined> {
  let next: Migration | undefined;
  try {
    return await withLock(pool, async (client) => {
      const history = (await readHistory(client)) ?? [];
      const unfinished = unfinishedIn(history);
      if (unfinished) throw unfinishedError(unfinished);
      [next] = pendingIn(history, migrations);
      if (next) await applyRecorded(client, next);
      return next?.name;
    });
  } catch (error) {
    if (!next || isOutage(error)) throw error;
    const failed = next;
    const reason = reasonOf(error);
    // If this fails as well, the first error is the one to report.
    await withConnection(pool, (client) => recordRollback(client, failed, reason)).catch(() => {});
    throw new Error(`migration ${failed.name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Runs work in a transaction that holds the migration lock. The lock belongs to the transaction: a
 * session lock would not survive a pooler in transaction mode.
 */
async function withLock<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client) => {
    // Other isolation levels would not see changes committed while waiting for the lock.
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

function pendingIn(history: MigrationAttempt[], migrations: Migration[]): Migration[] {
  const applied = new Set(history.filter(isApplied).map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Only Prisma's tools leave unfinished migrations: when one fails, or when they are killed. */
function unfinishedIn(history: MigrationAttempt[]): MigrationAttempt | undefined {
  return history.find(({ finished, rolledBack }) => finished === null && rolledBack === null);
}

/** Prisma reports this as P3009. */
function unfinishedError({ name, started }: MigrationAttempt): Error {
  return new Error(
    `migration ${name}, started at ${started.toISOString()}, failed, and no other is applied (P3009): ` +
      `undo what it did and run "npx prisma migrate resolve --rolled-back ${name}", ` +
      `or do what it lacks and run "npx prisma migrate resolve --applied ${name}"`,
  );
}

/** As Prisma does (P3005): a schema with other tables is refused. Objects of extensions do not count. */
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
