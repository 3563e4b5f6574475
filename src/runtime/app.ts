import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createGraphql } from '../graphql/server.ts';
import { createGateway } from '../http/gateway.ts';
import { createReceiveUpload } from '../http/receive-upload.ts';
import { clearSpool } from '../http/spool.ts';
import type { Log } from '../ports/log.ts';
import { createRest } from '../rest/server.ts';
import { keepIndexed } from './indexing.ts';
import { assemble, type Backstage, type Refit } from './runtime.ts';
import { keepSweeping } from './sweeping.ts';

/** The gateway, wired: a handler for any server. */
export interface App extends Backstage {
  fetch(request: Request): Response | Promise<Response>;
}

/**
 * Wires the gateway: settings choose the adapters, use-cases take them, faces take the use-cases.
 *
 * @param refit changes what the use-cases are given; tests put faults there
 */
export async function createApp(config: Config, log: Log, refit?: Refit): Promise<App> {
  const parts = await assemble(config, log, { share: false, refit });
  const { useCases, folder, downloads } = parts;
  const spoolDir = join(folder, 'incoming');
  // Gateways on one server may share the folder; that of an embedded database has one owner.
  if (config.database.kind !== 'server') await rm(spoolDir, { recursive: true, force: true });

  const atOnce = config.uploadsAtOnce;
  const receiveUpload = createReceiveUpload({ useCases, spoolDir, atOnce });
  const onUnexpected = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'unexpected failure');
  const gateway = createGateway({
    rest: createRest({ useCases, receiveUpload, onUnexpected }),
    graphql: await createGraphql({ useCases, receiveUpload, limits: config.graphql, onUnexpected }),
    downloads,
    ready: parts.check,
    corsOrigins: config.corsOrigins,
    onRequest: (facts) => log.info(facts, 'request'),
    onUnexpected,
  });

  const stopSweeping = keepSweeping(
    { sweep: useCases.sweep, clear: () => clearSpool(spoolDir) },
    log,
  );
  const stopIndexing = keepIndexed(parts.index, log);
  return {
    ...parts,
    fetch: (request) => gateway.fetch(request),
    async close() {
      await Promise.all([stopSweeping(), stopIndexing()]);
      await parts.close();
    },
  };
}
