import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { checksumOf, type Migration } from './migrations.ts';

/* The table in which Prisma records migrations. Prisma's own tools use it as well. */

/** An attempt to apply a migration. */
export interface MigrationAttempt {
  name: string;
  checksum: string;
  started: Date;
  /** Null if it failed or is in progress. */
  finished: Date | null;
  /** Not null if its changes were undone, so that it can be applied again. */
  rolledBack: Date | null;
}

/** Reads the recorded attempts. `undefined`: the table does not exist. */
export async function readHistory(
  database: Pool | PoolClient,
): Promise<MigrationAttempt[] | undefined> {
  // Reading pg_class makes the session notice what others created while it waited for a lock:
  // `to_regclass` alone only reads a cache, which may still say that there is no such table.
  const { rowCount } = await database.query(
    "SELECT FROM pg_class WHERE oid = to_regclass('_prisma_migrations')",
  );
  if (rowCount === 0) return undefined;
  const attempts = await database.query<MigrationAttempt>(
    `SELECT migration_name AS name, checksum, started_at AS started, finished_at AS finished,
            rolled_back_at AS "rolledBack"
     FROM _prisma_migrations ORDER BY started_at`,
  );
  return attempts.rows;
}

/** Creates the table exactly as Prisma does. */
export async function createHistory(client: PoolClient): Promise<void> {
  await client.query(`CREATE TABLE _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`);
}

/** Applies a migration in the open transaction of `client`, and records it. */
export async function applyRecorded(client: PoolClient, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [id, checksumOf(sql), name],
  );
  await client.query(sql);
  await client.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1
     WHERE id = $1`,
    [id],
  );
}

/** Records that a migration failed and was rolled back. Repeated identical failures are recorded once. */
export async function recordRollback(
  client: PoolClient,
  { name, sql }: Migration,
  reason: string,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, rolled_back_at)
     SELECT $1, $2::text, $3::text, $4::text, now()
     WHERE NOT EXISTS (
       SELECT FROM _prisma_migrations WHERE checksum = $2::text AND migration_name = $3::text AND logs = $4::text
     )`,
    [randomUUID(), checksumOf(sql), name, reason],
  );
}
