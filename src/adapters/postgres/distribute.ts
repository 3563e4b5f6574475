import { escapeIdentifier, type PoolClient, type PoolConfig } from 'pg';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';
import { MIGRATION_LOCK } from './apply-migrations.ts';
import { findObstacle, readDistribution } from './citus.ts';
import { createPool } from './create-pool.ts';
import { withConnection } from './with-connection.ts';

export interface DistributeOptions {
  /** The number of shards of each table, which limits the number of servers. */
  shards: number;
  /** Called before each step with its description. */
  onStep: (step: string) => void;
}

/** The result for each table. */
export interface Distributed {
  /** Copied to all servers now. */
  copied: string[];
  /** Distributed over the servers now. */
  distributed: string[];
  /** Tables that had been copied or distributed before. */
  unchanged: string[];
}

/**
 * Distributes the tables of a migrated database over the servers of its Citus cluster, by customer. Each
 * step is one transaction, and completed steps are skipped: it can be interrupted and repeated.
 * Meanwhile no gateway should run.
 *
 * @param connection to the coordinator, past any pooler
 * @throws ConfigurationError when the cluster is not ready, or refuses; the failed step is rolled back
 */
export async function distribute(
  connection: PoolConfig,
  { shards, onStep }: DistributeOptions,
): Promise<Distributed> {
  const pool = createPool({ ...connection, max: 1 });
  try {
    return await withConnection(pool, async (client) => {
      const obstacle = await findObstacle(client);
      if (obstacle) throw new ConfigurationError(obstacle);
      await setDefaults(client);
      const before = await readDistribution(client);
      const { toCopy, toDistribute } = before;
      const linked = await linkedTables(client, toDistribute);
      const apart = toDistribute.filter((name) => !linked.includes(name));
      if (toCopy.length + linked.length > 0) {
        onStep(`distributing ${[...toCopy, ...linked].join(', ')}`);
        await inTransaction(client, shards, () => distributeLinked(client, toCopy, linked));
      }
      for (const name of apart) {
        onStep(`distributing ${name}`);
        await inTransaction(client, shards, () => distributeTable(client, name));
      }
      await emptyOriginals(client, onStep);
      return { copied: toCopy, distributed: toDistribute, unchanged: before.done };
    });
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`the tables cannot be distributed: ${reasonOf(error)}`);
  } finally {
    await pool.end();
  }
}

/** Settings that all sessions on the coordinator need from now on, including those of migrations. */
async function setDefaults(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = escapeIdentifier(rows[0]?.name ?? '');
  // Triggers change rows of the same customer only, which are on the same server.
  await client.query(`ALTER DATABASE ${database} SET citus.enable_unsafe_triggers = on`);
  // SET LOCAL must reach the servers that have the rows, to influence their plans.
  await client.query(`ALTER DATABASE ${database} SET citus.propagate_set_commands = 'local'`);
  await client.query(
    `SET citus.enable_unsafe_triggers = on; SET client_min_messages = 'warning'; SET statement_timeout = 0`,
  );
}

async function inTransaction(
  client: PoolClient,
  shards: number,
  work: () => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  // Foreign keys join what is distributed in one transaction, on one connection to each server.
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  await client.query("SELECT set_config('citus.shard_count', $1, true)", [String(shards)]);
  await work();
  await client.query('COMMIT');
}

/** The tables that foreign keys join with others. */
async function linkedTables(client: PoolClient, names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT relname AS name FROM pg_constraint
      JOIN pg_class ON pg_class.oid IN (conrelid, confrelid)
    WHERE contype = 'f' AND relname = ANY ($1) AND connamespace = current_schema()::regnamespace`,
    [names],
  );
  const linked = new Set(rows.map(({ name }) => name));
  return names.filter((name) => linked.has(name));
}

/** Foreign keys are there again at the end: no table can be distributed while local ones refer to it. */
async function distributeLinked(
  client: PoolClient,
  toCopy: string[],
  linked: string[],
): Promise<void> {
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) AS add
    FROM pg_constraint
    WHERE contype = 'f' AND conrelid = ANY ($1::regclass[]) AND conparentid = 0`,
    [[...toCopy, ...linked]],
  );
  for (const { drop } of keys) await client.query(drop);
  for (const name of toCopy) await client.query('SELECT create_reference_table($1)', [name]);
  for (const name of linked) await distributeTable(client, name);
  for (const { add } of keys) await client.query(add);
}

async function distributeTable(client: PoolClient, name: string): Promise<void> {
  const beside = name === 'dataset' ? 'none' : 'dataset';
  await client.query("SELECT create_distributed_table($1, 'customer_key', colocate_with => $2)", [
    name,
    beside,
  ]);
}

/** Citus keeps the original rows on the coordinator, where no statement sees them. */
async function emptyOriginals(
  client: PoolClient,
  onStep: DistributeOptions['onStep'],
): Promise<void> {
  const { rows } = await client.query<{ name: string; size: string }>(
    `SELECT relname AS name, pg_size_pretty(pg_total_relation_size(oid)) AS size
    FROM pg_class JOIN pg_dist_partition ON logicalrelid = oid
    WHERE relnamespace = current_schema()::regnamespace AND pg_relation_size(oid) > 0`,
  );
  for (const { name, size } of rows) {
    onStep(`removing what is left of ${name} on the coordinator, ${size}`);
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
  }
}
