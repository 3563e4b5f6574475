/* The exports of the package `filequery`, for a program that embeds the gateway. */

export { type Config, readConfig } from './config/config.ts';
export { AppError, ConfigurationError } from './core/errors.ts';
export type { Log } from './ports/log.ts';
export { type App, createApp } from './runtime/app.ts';
export { createLog } from './runtime/log.ts';
export { type Gateway, startGateway } from './runtime/serve.ts';
