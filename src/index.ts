import type { Config } from './config/config.ts';
import type { Log } from './ports/log.ts';
import type { App } from './runtime/app.ts';
import { createApp as createAppWith } from './runtime/create-app.ts';

/*
 * The exports of the package `filequery`, for a program that embeds the gateway. Their declarations
 * name no type of a library that `build.ts` bundles: it is not installed with the package.
 */

export type {
  DatasetStore as DatasetVectorStore,
  StoreFilter,
} from './adapters/vectors/dataset-store.ts';
export { type Config, readConfig } from './config/config.ts';
export { AppError, ConfigurationError } from './core/errors.ts';
export type { Log } from './ports/log.ts';
export type { App } from './runtime/app.ts';
export { createLog } from './runtime/log.ts';
export { type Gateway, startGateway } from './runtime/serve.ts';
export { createVectorStores, type VectorStores } from './runtime/vector-stores.ts';

/**
 * Builds every part of the service and its doors, without listening on an address.
 *
 * @throws ConfigurationError naming the setting
 */
export const createApp: (config: Config, log: Log) => Promise<App> = createAppWith;
