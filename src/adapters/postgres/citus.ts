import type { Pool, PoolClient } from 'pg';

/* What the coordinator of a Citus cluster knows about the tables of the gateway. */

type Database = Pick<Pool | PoolClient, 'query'>;

/** Whether the tables of the database are distributed over servers by Citus. */
export async function readIsDistributed(database: Database): Promise<boolean> {
  if (!(await hasCitus(database))) return false;
  const { rows } = await database.query(
    "SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('dataset')",
  );
  return rows.length > 0;
}

/** @returns why tables cannot be distributed, with a hint; nothing when they can */
export async function findObstacle(database: Database): Promise<string | undefined> {
  if (!(await hasCitus(database))) {
    return (
      'the database has no Citus: put citus first into shared_preload_libraries of every server, ' +
      'and run CREATE EXTENSION citus in this database on each'
    );
  }
  const { rows } = await database.query<{ hasCoordinator: boolean; workers: number }>(
    `SELECT coalesce(bool_or(groupid = 0), false) AS "hasCoordinator",
      count(*) FILTER (WHERE shouldhaveshards)::int AS workers
    FROM pg_dist_node WHERE isactive AND noderole = 'primary'`,
  );
  const { hasCoordinator = false, workers = 0 } = rows[0] ?? {};
  if (!hasCoordinator) {
    return "Citus does not know this server: run SELECT citus_set_coordinator_host('HOST', PORT)";
  }
  if (workers === 0) {
    return "Citus has no server for the tables: run SELECT citus_add_node('HOST', PORT) for each";
  }
  return undefined;
}

/** The tables that are distributed or copied to all servers, and those that are not yet. */
export interface Distribution {
  done: string[];
  /** Copied to all servers: the tables for finding a customer. */
  toCopy: string[];
  /** Distributed by the key of the customer. */
  toDistribute: string[];
}

/** Reference tables: they are used to find a customer by an id or by the hash of an API key. */
const REFERENCE_TABLES = ['customer', 'api_key'];

export async function readDistribution(database: Database): Promise<Distribution> {
  const { rows } = await database.query<{ name: string; isDone: boolean }>(
    `SELECT relname AS name, EXISTS (SELECT FROM pg_dist_partition
        WHERE logicalrelid = pg_class.oid AND (partmethod = 'h' OR repmodel = 't')) AS "isDone"
    FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
      AND (relname = 'customer' OR EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = pg_class.oid AND attname = 'customer_key' AND NOT attisdropped))
    -- Others are colocated with datasets.
    ORDER BY relname = 'customer' DESC, relname = 'dataset' DESC, pg_relation_size(oid), relname`,
  );
  const missing = rows.filter(({ isDone }) => !isDone).map(({ name }) => name);
  return {
    done: rows.filter(({ isDone }) => isDone).map(({ name }) => name),
    toCopy: missing.filter((name) => REFERENCE_TABLES.includes(name)),
    toDistribute: missing.filter((name) => !REFERENCE_TABLES.includes(name)),
  };
}

async function hasCitus(database: Database): Promise<boolean> {
  const { rows } = await database.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}
