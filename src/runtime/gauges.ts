import type { Gauges } from '../adapters/telemetry/metrics.ts';
import { countIntents } from '../use-cases/maintenance/count-intents.ts';
import { withTimeout } from './readiness.ts';
import type { Runtime } from './runtime.ts';

/** Reads the current values for metrics. Does not wait for a database that does not answer. */
export function createReadGauges({ database, searchMemory }: Runtime) {
  return async (): Promise<Gauges> => {
    const { pool, query } = await database();
    const { totalCount, idleCount, waitingCount, options } = pool;
    return {
      connections: {
        busy: totalCount - idleCount,
        idle: idleCount,
        most: options.max,
        waiting: waitingCount,
      },
      searchMemory: (await searchMemory()).usage(),
      intents: await withTimeout(() => countIntents({ query })).catch(() => undefined),
    };
  };
}
