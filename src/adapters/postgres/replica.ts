import type { Pool, PoolClient } from 'pg';
import { reasonOf } from '../../core/reason-of.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { DatasetState, Replica } from '../../ports/replica.ts';
import { connectionsTo, type ServerOptions } from './connections.ts';
import { createPool } from './create-pool.ts';
import type { Database } from './database.ts';
import { createQuery } from './query.ts';

export interface OpenReplica extends Replica, Pick<Database, 'pool' | 'query'> {
  /** Connects to the replica, or to the primary while the replica is unavailable. */
  readonly reading: Pick<Pool, 'connect'>;
  /** Rejects, with a reason for the operator, if the replica cannot be used. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface ReplicaEvents {
  /** Called with the reason when the replica cannot be used; only once until it can be used again. */
  onAway: (reason: string) => void;
  onBack: () => void;
}

/** How long the replica is not used after a failure, in milliseconds. */
const AWAY_MS = 5000;
/** How long the replica may take to connect, and to report its versions. */
const CHECK_MS = 1000;

/**
 * Opens a streaming replica of a PostgreSQL server. Each read first asks it for the versions of the
 * datasets: a later statement on the same server sees at least the same data. Connections to another
 * server, behind a balancer or after a restart, are noticed, because that server may be behind.
 */
export function openReplica(
  primary: Pool,
  options: Omit<ServerOptions, 'migrationUrl'>,
  { onAway, onBack }: ReplicaEvents,
): OpenReplica {
  const { connection } = connectionsTo({ ...options, migrationUrl: undefined });
  const pool = createPool({ ...connection, connectionTimeoutMillis: CHECK_MS, verify });
  const query = createQuery(pool);
  /** The connections, all to one server, and the number of times that the server changed. */
  const connections = new Set<PoolClient>();
  pool.on('remove', (client) => connections.delete(client));
  let server: string | undefined;
  let changes = 0;
  let awayUntil = 0;
  let isAway = false;

  return {
    pool,
    query,
    reading: { connect: (() => (resting() ? primary : pool).connect()) as Pool['connect'] },

    async read(datasets, work) {
      if (resting()) return undefined;
      try {
        const has = await hasReached(datasets);
        if (isAway) onBack();
        isAway = false;
        if (!has) return undefined;
      } catch (error) {
        markAway(error);
        return undefined;
      }
      const before = changes;
      // What fails here may succeed on the primary; if both fail, the error of the primary is reported.
      const result = await work(query).catch(() => undefined);
      return changes === before ? result : undefined;
    },

    async check() {
      await pool.query('SELECT 1');
    },
    close: () => pool.end(),
  };

  function resting(): boolean {
    return performance.now() < awayUntil;
  }

  function markAway(error: unknown): void {
    awayUntil = performance.now() + AWAY_MS;
    if (!isAway) onAway(reasonOf(error));
    isAway = true;
  }

  async function hasReached(datasets: readonly DatasetState[]): Promise<boolean> {
    const { text, values } = Prisma.sql`
      SELECT count(*)::int AS count
      FROM unnest(
        ${datasets.map(({ customerKey }) => customerKey)}::int[],
        ${datasets.map(({ datasetKey }) => datasetKey)}::int[],
        ${datasets.map(({ version }) => version)}::int[]
      ) AS wanted(customer_key, key, version)
      JOIN dataset USING (customer_key, key) WHERE dataset.version >= wanted.version`;
    const statement = { text, values, query_timeout: CHECK_MS };
    const { rows } = await pool.query<{ count: number }>(statement);
    return rows[0]?.count === datasets.length;
  }

  /** Accepts a new connection into the pool if it leads to the same replica as the others. */
  function verify(client: PoolClient, done: (error?: Error) => void): void {
    identify(client)
      .then((name) => {
        if (name !== server) {
          if (connections.size > 0) throw new Error('the URL leads to several servers');
          server = name;
          changes++;
        }
        connections.add(client);
        done();
      })
      .catch(done);
  }
}

/** Identifies a server from its start to its end. @throws Error if it is not a replica */
async function identify(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ isCopy: boolean; name: string }>(
    `SELECT pg_is_in_recovery() AS "isCopy",
       concat(inet_server_addr(), ' ', inet_server_port(), ' ', pg_postmaster_start_time()) AS name`,
  );
  if (!rows[0]?.isCopy) throw new Error('the server is not a replica');
  return rows[0].name;
}
