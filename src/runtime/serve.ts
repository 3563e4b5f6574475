import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { unavailable } from '../core/errors.ts';
import { errorResponse } from '../http/error-response.ts';
import { listen } from '../http/listen.ts';
import type { Log } from '../ports/log.ts';
import type { App } from './app.ts';
import { createApp } from './create-app.ts';
import { prepareFirstRun } from './first-run.ts';
import { collectNow, collectSeldom } from './garbage-collection.ts';
import { createLog } from './log.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Delayed so that the first response is not slowed down. */
const GARBAGE_AFTER_MS = 1000;
/** The time to stop: the ten seconds of running requests, and a few to close everything. */
const STOP_MS = 13_000;

/**
 * Runs the gateway until the process gets SIGTERM or SIGINT.
 *
 * @throws ConfigurationError when it cannot start, or when its database ended and cannot be restarted
 */
export async function serve(config: Config): Promise<never> {
  collectSeldom();
  const log = createLog(config.logLevel);
  const cancelStart = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopped before the start was complete');
    // An interrupted start is completed by the next one.
    process.exit(0);
  };
  for (const signal of SIGNALS) process.once(signal, cancelStart);
  const { app, publicUrl, stop } = await startGateway(config, log);
  let isStopping = false;
  const end = async (signal: NodeJS.Signals) => {
    isStopping = true;
    log.info({ signal }, 'stopping');
    // Closing waits for statements, and a server that hangs answers none of them. What it did not
    // complete is completed as after a crash.
    const wasClosed = await Promise.race([stop().then(() => true), pause(STOP_MS, false)]);
    if (!wasClosed) log.warn({}, 'stopped without waiting for the database');
    process.exit(0);
  };
  for (const signal of SIGNALS) process.off(signal, cancelStart).once(signal, end);
  log.info({ version: VERSION, node: process.versions.node, url: publicUrl }, 'started');
  setTimeout(collectNow, GARBAGE_AFTER_MS).unref();
  await prepareFirstRun(publicUrl, app).catch((error: unknown) => {
    // It may find the database closed.
    if (!isStopping) throw error;
  });
  throw await app.lost;
}

export interface Gateway {
  app: App;
  /** The URL at which clients reach it. */
  publicUrl: string;
  /** Completes running requests, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway that listens on `host` and `port` of the configuration.
 *
 * @throws ConfigurationError when it cannot listen there, or a setting cannot be used
 */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const { promise: started, resolve, reject } = Promise.withResolvers<App>();
  // A failed start is thrown below; without requests it must not count as an unhandled rejection.
  started.catch(() => {});
  let app: App | undefined;
  // Listens first: an address in use is reported at once, and requests wait for the start.
  const { url, stop } = await listen(
    (request, connection) =>
      app?.fetch(request, connection) ??
      started.then(({ fetch }) => fetch(request, connection), unavailableResponse),
    config,
  );
  const publicUrl = config.publicUrl ?? url;
  app = await createApp({ ...config, publicUrl }, log).catch(async (error: unknown) => {
    // Answers the waiting requests, so that the server can stop.
    reject(error);
    await stop();
    throw error;
  });
  resolve(app);
  const { close, endWatches } = app;
  return {
    app,
    publicUrl,
    async stop() {
      endWatches();
      await stop();
      await close();
    },
  };
}

/** The response to a request that waited for a start that failed. */
function unavailableResponse(): Response {
  const response = errorResponse(unavailable());
  response.headers.set('connection', 'close');
  return response;
}
