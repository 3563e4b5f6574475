import { randomUUID } from 'node:crypto';
import { Pool, type PoolConfig } from 'pg';
import { inject } from 'vitest';
import { socketDirectoryOf } from '../../src/adapters/postgres/embedded-postgres.ts';
import { copyEmptyDatabase } from './empty-database.ts';

/** The database of a gateway of a test. */
export interface TestDatabase {
  /** The environment variables that lead a gateway to it; none when it is embedded. */
  settings: Record<string, string>;
  /** How to ask it beside the gateway. */
  connection: PoolConfig;
  remove(): Promise<void>;
}

/** A PostgreSQL server where databases may be made; without one every database is embedded. */
export const SERVER_URL = process.env['TEST_DATABASE_URL'];

/** The workers of which that server is the Citus coordinator; none when it is a plain one. */
export const WORKER_URLS = (process.env['TEST_CITUS_WORKERS'] ?? '').split(',').filter(Boolean);

/** An empty database with its tables. An embedded one lives in the data folder. */
export async function newDatabase(dataDir: string): Promise<TestDatabase> {
  if (SERVER_URL) return newServerDatabase(SERVER_URL, inject('emptyDatabase'));
  await copyEmptyDatabase(dataDir);
  return { settings: {}, connection: embeddedIn(dataDir), remove: async () => {} };
}

/** How to ask the embedded database of a running gateway. */
export function embeddedIn(dataDir: string): PoolConfig {
  return { host: socketDirectoryOf(dataDir), user: 'postgres', database: 'postgres' };
}

/** The environment variables that lead a gateway to the database of another. */
export function settingsFor({ connectionString, host }: PoolConfig): Record<string, string> {
  const socket = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(host ?? '')}`;
  return {
    DATABASE_URL: connectionString ?? socket,
    TOKEN_SECRET: 'a token secret of all test gateways',
  };
}

/**
 * A database of its own on a server.
 *
 * @param template what it is a copy of; it is quite empty unless given
 */
export async function newServerDatabase(
  server: string,
  template?: string,
): Promise<TestDatabase & { name: string }> {
  const name = `filequery_test_${randomUUID().replaceAll('-', '')}`;
  // Only copies of the template are distributed.
  const servers = template ? [server, ...WORKER_URLS] : [server];
  const onServers = async (sql: string) => {
    for (const connectionString of servers) await ask({ connectionString }, sql);
  };
  await onServers(createDatabase(name, template));
  const connection = { connectionString: atDatabase(server, name) };
  return {
    name,
    settings: settingsFor(connection),
    connection,
    remove: () => onServers(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The URL of a database on the same server. */
export function atDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

/** Asks a database one thing. */
export async function ask<T>(connection: PoolConfig, sql: string): Promise<T[]> {
  const pool = new Pool({ ...connection, max: 1 });
  // A database may be stopped while the connection is idle.
  pool.on('error', () => {});
  try {
    return (await pool.query(sql)).rows;
  } finally {
    await pool.end();
  }
}

/** Empties a database. A new embedded one has its tables already. */
export async function dropTables(connection: PoolConfig): Promise<void> {
  await ask(connection, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
}

function createDatabase(name: string, template?: string): string {
  return template ? `CREATE DATABASE ${name} TEMPLATE ${template}` : `CREATE DATABASE ${name}`;
}
