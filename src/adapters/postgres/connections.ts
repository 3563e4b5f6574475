import type { PoolConfig } from 'pg';

/** How to reach a PostgreSQL server. */
export interface ServerOptions {
  /** For everything except migrations. May be a pooler in transaction mode. */
  url: string;
  /** For migrations, which must bypass such a pooler. Default: `url`. */
  migrationUrl: string | undefined;
  /** The maximum number of connections. */
  poolSize: number;
  /** A statement that takes longer is canceled. */
  statementTimeoutMs: number;
  /** A connection that is unused for this long is closed. */
  idleTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5000;
/** Added to the client's timeout, so that the server's expires first. */
const MARGIN_MS = 1000;

/** The pool configurations for the gateway and for migrations. */
export function connectionsTo(options: ServerOptions): {
  connection: PoolConfig;
  migrations: PoolConfig;
} {
  const common: PoolConfig = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
      // A timeout of the client alone would leave the statement running, and it could still commit.
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs + MARGIN_MS,
    },
    migrations: {
      ...common,
      connectionString: withLibpqModes(options.migrationUrl ?? options.url),
    },
  };
}

/** `pg` treats weaker modes like `verify-full`. This restores the meaning they have in libpq. */
function withLibpqModes(url: string): string {
  return /[?&]sslmode=(prefer|require|verify-ca)\b/.test(url) ? `${url}&uselibpqcompat=true` : url;
}
