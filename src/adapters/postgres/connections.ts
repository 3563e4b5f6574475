import type { PoolConfig } from 'pg';

/** How to reach a PostgreSQL server. */
export interface ServerOptions {
  /** For everything but migrations; may lead to a pooler in transaction mode. */
  url: string;
  /** For migrations, bypassing the pooler. Default: `url`. */
  migrationUrl: string | undefined;
  /** The most connections. */
  poolSize: number;
  /** A statement that takes longer is given up. */
  statementTimeoutMs: number;
  /** An unused connection is closed after this. */
  idleTimeoutMs: number;
}

const CONNECT_MS = 5000;
/** How much longer the client waits than the server works, so that the server gives up first. */
const MARGIN_MS = 1000;

/** The connections of the gateway to its server, and those for migrations. */
export function connectionsTo(options: ServerOptions): {
  connection: PoolConfig;
  migrations: PoolConfig;
} {
  const common: PoolConfig = {
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: options.idleTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'filequery',
  };
  return {
    connection: {
      ...common,
      connectionString: withLibpqModes(options.url),
      max: options.poolSize,
      // A statement that only its client gave up would go on, and might still change something.
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs + MARGIN_MS,
    },
    migrations: {
      ...common,
      connectionString: withLibpqModes(options.migrationUrl ?? options.url),
    },
  };
}

/** `pg` reads the modes below `verify-full` as that one; here they mean what PostgreSQL's manual says. */
function withLibpqModes(url: string): string {
  return /[?&]sslmode=(prefer|require|verify-ca)\b/.test(url) ? `${url}&uselibpqcompat=true` : url;
}
