/* The exports of the package `filequery`, for a program that embeds the gateway. */

export type { DatasetStore as DatasetVectorStore } from './adapters/vectors/dataset-store.ts';
export type { StoreFilter } from './adapters/vectors/store-documents.ts';
export { type Config, readConfig } from './config/config.ts';
export { AppError, ConfigurationError } from './core/errors.ts';
export type { Log } from './ports/log.ts';
export { type App, createApp } from './runtime/app.ts';
export { createLog } from './runtime/log.ts';
export { type Gateway, startGateway } from './runtime/serve.ts';
export { createVectorStores, type VectorStores } from './runtime/vector-stores.ts';
