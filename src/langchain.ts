import { readConfig } from './config/config.ts';
import { createLog } from './runtime/log.ts';
import { createVectorStores, type VectorStores } from './runtime/vector-stores.ts';

export type { DatasetVectorStore, StoreFilter } from './adapters/vectors/dataset-vector-store.ts';
export type { VectorStores };

/**
 * Opens the datasets as vector stores of LangChain.
 *
 * @param settings those of the gateway; the environment variables of the process unless given
 * @throws ConfigurationError naming the setting
 */
export function openVectorStores(settings?: NodeJS.ProcessEnv): VectorStores {
  const config = readConfig(settings);
  return createVectorStores(config, createLog(config.logLevel));
}
