import type { DatasetStore } from '../adapters/vectors/dataset-store.ts';
import type { Config } from '../config/config.ts';
import { invalidInput } from '../core/errors.ts';
import type { Log } from '../ports/log.ts';
import { findCustomer } from '../use-cases/accounts/find-customer.ts';
import { findDataset } from '../use-cases/datasets/datasets.ts';
import { createRuntime } from './runtime.ts';

/** Opens datasets as vector stores of LangChain, next to a running gateway or without one. */
export interface VectorStores {
  /**
   * The store of a dataset. Each of its methods looks the dataset up again: it may have been embedded by
   * another model meanwhile.
   *
   * @param customer by id, or by name when only one has it
   * @throws AppError INVALID_INPUT when there is no such customer or dataset;
   *   EMBEDDING_MODEL_MISMATCH when its chunks were embedded by another model than the settings say
   */
  open(which: { customer: string; dataset: string }): Promise<DatasetStore>;
  close(): Promise<void>;
}

/**
 * Connects to the database when the first store is opened; `open` then rejects with a ConfigurationError
 * naming a setting that cannot be used.
 */
export function createVectorStores(config: Config, log: Log): VectorStores {
  const runtime = createRuntime(config, log, { role: 'operator' });
  return {
    async open({ customer, dataset: datasetId }) {
      const [{ prisma, query }, { embeddings }, index] = await Promise.all([
        runtime.database(),
        runtime.models(),
        runtime.index(),
      ]);
      const { key: customerKey } = await findCustomer({ prisma }, customer);
      const findScope = async () => {
        const found = await findDataset({ query, embeddings }, { customerKey, datasetId });
        if (!found) invalidInput(`there is no dataset ${datasetId}`);
        return { customerKey, datasetKey: found.key, chunkCount: found.chunkCount };
      };
      await findScope();
      return index.openStore(findScope);
    },

    close: runtime.close,
  };
}
