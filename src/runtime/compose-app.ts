import { rm } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { unavailable } from '../core/errors.ts';
import { errorResponse } from '../http/error-response.ts';
import { createGateway } from '../http/gateway.ts';
import { createReceiveUpload } from '../http/receive-upload.ts';
import { clearSpool } from '../http/spool.ts';
import type { Log } from '../ports/log.ts';
import { createAdmin } from '../use-cases/accounts/create-admin.ts';
import type { Dependencies } from '../use-cases/dependencies.ts';
import { createUseCases } from '../use-cases/index.ts';
import { createMaintenance } from '../use-cases/maintenance/create-maintenance.ts';
import type { App } from './app.ts';
import { startBackgroundWork } from './background.ts';
import { createDoors } from './doors.ts';
import { createReadGauges } from './gauges.ts';
import { isForThisComputer } from './is-for-this-computer.ts';
import { checksOf, createReadiness } from './readiness.ts';
import type { Runtime } from './runtime.ts';

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
