import { distribute } from '../../src/adapters/postgres/distribute.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { ask, atDatabase, WORKER_URLS } from './databases.ts';

/* Databases on a Citus cluster, of which TEST_DATABASE_URL is the coordinator. */

/** Few, because each test copies all of them. */
const SHARDS = 4;

/** Makes a database of the coordinator a distributed one, with tables, of which others are copies. */
export async function distributeTemplate(coordinator: string, name: string): Promise<void> {
  const connection = { connectionString: atDatabase(coordinator, name) };
  await joinCluster(coordinator, name);
  await migrate(connection, 'TEST_DATABASE_URL');
  await distribute(connection, { shards: SHARDS, onStep: () => {} });
  // A database to which a process of Citus is connected cannot be copied.
  for (const url of [coordinator, ...WORKER_URLS]) {
    await ask(
      { connectionString: url },
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false;
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  }
}

/** Makes a database of the same name on each worker, and tells the coordinator of them. */
export async function joinCluster(coordinator: string, name: string): Promise<void> {
  await onWorkers(`CREATE DATABASE ${name}`);
  for (const url of [coordinator, ...WORKER_URLS]) {
    await ask({ connectionString: atDatabase(url, name) }, 'CREATE EXTENSION citus');
  }
  const connection = { connectionString: atDatabase(coordinator, name) };
  const { hostname, port } = new URL(coordinator);
  await ask(connection, `SELECT citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of WORKER_URLS.map((url) => new URL(url))) {
    await ask(connection, `SELECT citus_add_node('${worker.hostname}', ${worker.port})`);
  }
}

/** Runs a statement on every worker: databases are made and dropped on each server. */
export async function onWorkers(sql: string): Promise<void> {
  for (const connectionString of WORKER_URLS) await ask({ connectionString }, sql);
}
