import { createCredits } from '../accounts/credits.ts';
import { findCustomer } from '../accounts/find-customer.ts';
import { createReindex } from '../datasets/reindex.ts';
import type { Dependencies } from '../dependencies.ts';
import { countIntents } from './count-intents.ts';
import type { Maintenance } from './maintenance.ts';
import { createSweep } from './sweep.ts';
import { createVerify } from './verify.ts';

type Deps = Pick<
  Dependencies,
  'prisma' | 'query' | 'storage' | 'index' | 'embeddings' | 'observer' | 'log'
>;

export function createMaintenance(deps: Deps): Maintenance {
  const reindex = createReindex(deps);
  const verify = createVerify(deps);

  return {
    sweep: createSweep({ ...deps, credits: createCredits(deps) }),

    async reindex(options, onProgress) {
      const only = await customerOf(options);
      return reindex({ customerKey: only?.key, datasetId: options.datasetId }, onProgress);
    },

    async verify({ customer, ...options } = {}) {
      return verify({ only: await customerOf({ customer }), ...options });
    },

    countIntents: () => countIntents(deps),
  };

  async function customerOf({ customer }: { customer?: string | undefined }) {
    return customer === undefined ? undefined : findCustomer(deps, customer);
  }
}
