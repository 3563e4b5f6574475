import { rm } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { type ConfigurationError, unavailable } from '../core/errors.ts';
import { errorResponse } from '../http/error-response.ts';
import { createGateway } from '../http/gateway.ts';
import type { Connection } from '../http/gateway-env.ts';
import { createReceiveUpload } from '../http/receive-upload.ts';
import { clearSpool } from '../http/spool.ts';
import type { Log } from '../ports/log.ts';
import { type Admin, createAdmin } from '../use-cases/accounts/admin.ts';
import type { Dependencies } from '../use-cases/dependencies.ts';
import { createUseCases, type UseCases } from '../use-cases/index.ts';
import { createMaintenance, type Maintenance } from '../use-cases/maintenance/maintenance.ts';
import { startBackgroundWork } from './background.ts';
import { createDoors } from './doors.ts';
import { createReadGauges } from './gauges.ts';
import { isForThisComputer } from './is-for-this-computer.ts';
import { checksOf, createReadiness } from './readiness.ts';
import type { Runtime } from './runtime.ts';

/** The service with its doors: a handler for any server. */
export interface App {
  /** Answers 503 as soon as `close` has been called: clients send the request again. */
  fetch(request: Request, connection?: Connection): Response | Promise<Response>;
  admin: Admin;
  /** The key that a demo customer has or gets; only an embedded database has one. */
  demoKey: string | undefined;
  maintenance: Maintenance;
  /** Ends subscriptions that would delay the end of the server. */
  endWatches: UseCases['endWatches'];
  /** Tries once to book or refund the charges of finished requests. */
  settle: UseCases['settle'];
  /** Resolves when the database has failed permanently; otherwise never resolves. */
  lost: Promise<ConfigurationError>;
  /** Finishes what runs in the background, and closes every part; running requests should have ended. */
  close(): Promise<void>;
}

/** Builds the use cases, the doors and the background work from the parts of a gateway. */
export async function composeApp(
  runtime: Runtime,
  deps: Dependencies,
  config: Config,
  log: Log,
): Promise<App> {
  const { lost } = await runtime.database();
  const { createMetricsPage } = await runtime.telemetry();
  const useCases = createUseCases(deps);
  const maintenance = createMaintenance(deps);
  const spoolDir = await runtime.spoolDir();
  // Gateways on one server may share the folder; that of an embedded database has one owner.
  if (config.database.kind !== 'server') await rm(spoolDir, { recursive: true, force: true });

  const receiveUpload = createReceiveUpload({ useCases, spoolDir, atOnce: config.uploadsAtOnce });
  const demoKey = config.database.kind === 'server' ? undefined : await runtime.demoKey();
  const onUnexpected = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'unexpected failure');
  const gateway = createGateway({
    doors: await createDoors({ useCases, receiveUpload, onUnexpected }, config, {
      demoKey: isForThisComputer(config) ? demoKey : undefined,
    }),
    downloads: (await runtime.storage()).downloads,
    ready: createReadiness(checksOf(runtime, config), log),
    version: VERSION,
    corsOrigins: config.corsOrigins,
    observer: deps.observer,
    metrics: createMetricsPage?.(createReadGauges(runtime)),
    onUnexpected,
  });

  const stopBackgroundWork = startBackgroundWork(
    {
      sweep: maintenance.sweep,
      clearSpool: () => clearSpool(spoolDir),
      index: deps.index,
      ingest: useCases.ingest,
    },
    log,
  );
  let isClosed = false;
  return {
    fetch: (request, connection = {}) =>
      isClosed ? errorResponse(unavailable()) : gateway.fetch(request, connection),
    admin: createAdmin(deps),
    demoKey,
    maintenance,
    endWatches: useCases.endWatches,
    settle: useCases.settle,
    lost,
    async close() {
      isClosed = true;
      useCases.endWatches();
      await stopBackgroundWork();
      await useCases.stop();
      await useCases.settle();
      await runtime.close();
    },
  };
}
