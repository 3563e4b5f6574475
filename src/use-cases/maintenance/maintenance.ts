import { createCredits } from '../accounts/credits.ts';
import { findCustomer } from '../accounts/find-customer.ts';
import { createReindex, type Progress } from '../datasets/reindex.ts';
import type { Dependencies } from '../dependencies.ts';
import { countIntents } from './count-intents.ts';
import { createSweep } from './sweep.ts';
import { createVerify, type VerifyOptions } from './verify.ts';

type Deps = Pick<
  Dependencies,
  'prisma' | 'query' | 'storage' | 'index' | 'embeddings' | 'observer' | 'log'
>;

/** The operations that keep the stored data complete and consistent; the gateway and the operator run it. */
export function createMaintenance(deps: Deps) {
  const reindex = createReindex(deps);
  const verify = createVerify(deps);

  return {
    sweep: createSweep({ ...deps, credits: createCredits(deps) }),

    /** See `createReindex`; the datasets of one customer, or of all. */
    async reindex(
      options: { customer?: string | undefined; datasetId?: string | undefined },
      onProgress: Progress,
    ) {
      const only = await customerOf(options);
      return reindex({ customerKey: only?.key, datasetId: options.datasetId }, onProgress);
    },

    /** See `createVerify`; the data of one customer, or of all. */
    async verify({ customer, ...options }: VerifyOptions & { customer?: string | undefined } = {}) {
      return verify({ only: await customerOf({ customer }), ...options });
    },

    countIntents: () => countIntents(deps),
  };

  async function customerOf({ customer }: { customer?: string | undefined }) {
    return customer === undefined ? undefined : findCustomer(deps, customer);
  }
}

export type Maintenance = ReturnType<typeof createMaintenance>;
