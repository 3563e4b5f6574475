import type { Distributed, DistributeOptions } from '../adapters/postgres/distribute.ts';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../core/errors.ts';
import { UNOBSERVED } from '../core/observer.ts';
import type { Log } from '../ports/log.ts';
import type { Admin } from '../use-cases/accounts/admin.ts';
import { createAdmin } from '../use-cases/accounts/create-admin.ts';
import type { Intents } from '../use-cases/index.ts';
import { createMaintenance } from '../use-cases/maintenance/create-maintenance.ts';
import type { Maintenance } from '../use-cases/maintenance/maintenance.ts';
import { checkParts, checksOf } from './readiness.ts';
import { createRuntime } from './runtime.ts';

export type { Admin, Intents, Maintenance };

/** The service without its doors, for the command line. Parts are built when a command needs them. */
export interface Operator {
  /** Needs the database only. */
  admin(): Promise<Admin>;
  /** Needs the database, the storage and the embedding model. */
  maintenance(): Promise<Maintenance>;
  /**
   * Distributes the tables over the servers of a Citus cluster; see `distribute`.
   *
   * @throws ConfigurationError when the database is not on a Citus cluster
   */
  shard(options: DistributeOptions): Promise<Distributed>;
  /**
   * Checks every part. @returns the reasons of those that cannot be used, by name
   *
   * @throws ConfigurationError when a part cannot even be built
   */
  checkAll(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Works beside a running gateway or alone, on the embedded database too. */
export function createOperator(config: Config, log: Log): Operator {
  const runtime = createRuntime(config, log, { role: 'operator' });
  return {
    async admin() {
      const { prisma, query } = await runtime.database();
      const tokenSecret = await runtime.tokenSecret();
      return createAdmin({ prisma, query, tokenSecret, observer: UNOBSERVED });
    },

    async maintenance() {
      const { embeddings } = await runtime.models();
      const [{ prisma, query }, { storage }, index] = await Promise.all([
        runtime.database(),
        runtime.storage(),
        runtime.index(),
      ]);
      return createMaintenance({
        ...{ prisma, query, storage, index, embeddings, log },
        observer: UNOBSERVED,
      });
    },

    async shard(options) {
      if (config.database.kind === 'embedded') {
        throw new ConfigurationError('DATABASE_URL: it must lead to a Citus cluster');
      }
      const [{ direct }, { distribute }] = await Promise.all([
        runtime.database(),
        import('../adapters/postgres/distribute.ts'),
      ]);
      return distribute(direct, options);
    },

    async checkAll() {
      await runtime.dependencies();
      const { check } = await runtime.rateLimiter();
      const replica = await runtime.replica();
      // A gateway can be ready without them.
      const others = { rateLimits: check, ...(replica && { replica: replica.check }) };
      return checkParts({ ...checksOf(runtime, config), ...others });
    },

    close: runtime.close,
  };
}
