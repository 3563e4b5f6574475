import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from './adapters/database/database.ts';
import { isOutage } from './adapters/database/outage.ts';
import { createTextExtractor } from './adapters/extraction/text-extractor.ts';
import { createPgvectorIndex } from './adapters/pgvector/pgvector-index.ts';
import {
  type ClosableRateLimiter,
  createMemoryRateLimiter,
  createRedisRateLimiter,
} from './adapters/rate-limiter.ts';
import { deriveKey, keptSecret } from './adapters/token-secret.ts';
import type { Config } from './config.ts';
import { createModels } from './create-models.ts';
import { createGraphql } from './graphql/server.ts';
import { createGateway } from './http/gateway.ts';
import { addressOf } from './http/listen.ts';
import type { Log } from './log.ts';
import type { AnswerModel, EmbeddingModel } from './ports/language-model.ts';
import type { ObjectStorage } from './ports/object-storage.ts';
import { createRest } from './rest/server.ts';
import { type Admin, createAdmin } from './use-cases/admin.ts';
import type { Dependencies } from './use-cases/dependencies.ts';
import { createUseCases, type UseCases } from './use-cases/index.ts';

/** Sweeps follow each other after this. */
const SWEEP_MS = 5 * 60_000;

/** What the operator works with: everything but the faces. */
export interface Backstage {
  admin: Admin;
  sweep: UseCases['sweep'];
  /** Why each part cannot be used; empty when all can. */
  check(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** The gateway, wired: a handler for any server. */
export interface App extends Backstage {
  fetch(request: Request): Response | Promise<Response>;
}

/**
 * Wires the gateway: settings choose the adapters, use-cases take them, faces take the use-cases.
 *
 * @param refit changes what the use-cases are given; tests put faults there
 */
export async function createApp(config: Config, log: Log, refit: Refit = keep): Promise<App> {
  const parts = await assemble(config, log, { share: false, refit });
  const { useCases, folder, downloads } = parts;
  const spoolDir = join(folder, 'incoming');
  // What is there was left by a process that ended half-way; nobody else uses the folder.
  await rm(spoolDir, { recursive: true, force: true });

  const onUnexpected = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'unexpected failure');
  const gateway = createGateway({
    rest: createRest({ useCases, spoolDir, onUnexpected }),
    graphql: await createGraphql({ useCases, spoolDir, onUnexpected }),
    downloads,
    ready: parts.check,
    corsOrigins: config.corsOrigins,
    onRequest: (facts) => log.info(facts, 'request'),
    onUnexpected,
  });

  const stopSweeping = keepSweeping(useCases.sweep, log);
  return {
    ...parts,
    fetch: (request) => gateway.fetch(request),
    async close() {
      await stopSweeping();
      await parts.close();
    },
  };
}

/** Wires what the command line needs, beside a running gateway or alone. */
export function createBackstage(config: Config, log: Log): Promise<Backstage> {
  return assemble(config, log, { share: true, refit: keep });
}

type Refit = (deps: Dependencies) => Dependencies;
const keep: Refit = (deps) => deps;

async function assemble(
  config: Config,
  log: Log,
  { share, refit }: { share: boolean; refit: Refit },
) {
  const { dataDir } = config;
  const { embeddings, answers } = await createModels(config.models, { log, prove: !share });
  const database = await openDatabase(
    config.database.kind === 'embedded' ? { ...config.database, share } : config.database,
    (reason) => log.warn({ reason }, 'waiting for the database'),
  );
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'filequery-')));
  const secret = config.tokenSecret ?? (dataDir ? await keptSecret(dataDir) : randomSecret());
  const { storage, downloads } = await createStorage(config, log, {
    folder,
    secret,
    prove: !share,
  });
  const extractor = createTextExtractor();
  const rateLimiter = createRateLimiter(config, log);
  const { prisma, pool } = database;
  const deps = refit({
    prisma,
    storage,
    index: await createPgvectorIndex({ pool, embeddings }),
    embeddings,
    answers,
    extractor,
    rateLimiter,
    prices: config.prices,
    tokenSecret: deriveKey(secret, 'tokens'),
    isOutage,
    log,
  });
  const useCases = createUseCases(deps);

  return {
    useCases,
    sweep: useCases.sweep,
    admin: createAdmin(deps),
    folder,
    downloads,
    check: () => checkAll({ database, storage, embeddings, answers }),
    async close() {
      await extractor.close();
      await rateLimiter.close();
      await database.close();
      if (!dataDir) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param prove whether settings that cannot work stop the start; the command line asks when it wants to know */
async function createStorage(
  { storage, publicUrl, ...config }: Config,
  log: Log,
  { folder, secret, prove }: { folder: string; secret: string; prove: boolean },
) {
  switch (storage.kind) {
    case 'disk': {
      const { createDiskStorage } = await import('./adapters/disk-storage.ts');
      const { createDownloads } = await import('./adapters/disk-downloads.ts');
      const options = {
        folder: join(folder, 'objects'),
        baseUrl: `${publicUrl ?? addressOf(config)}/storage`,
        secret: deriveKey(secret, 'downloads'),
      };
      return { storage: createDiskStorage(options), downloads: createDownloads(options) };
    }
    case 'supabase': {
      const { createSupabaseStorage } = await import('./adapters/supabase/supabase-storage.ts');
      return { storage: await createSupabaseStorage({ ...storage, log, prove }) };
    }
  }
}

function createRateLimiter({ rateLimits }: Config, log: Log): ClosableRateLimiter {
  switch (rateLimits.kind) {
    case 'memory':
      return createMemoryRateLimiter();
    case 'redis':
      return createRedisRateLimiter({
        url: rateLimits.url,
        onAway: (reason) => log.warn({ reason }, 'Redis is away: this gateway counts for itself'),
        onBack: () => log.info('Redis is back: gateways count together'),
      });
  }
}

async function checkAll(parts: {
  database: Database;
  storage: ObjectStorage;
  embeddings: EmbeddingModel;
  answers: AnswerModel;
}): Promise<Record<string, string>> {
  const checks = {
    database: parts.database.pool.query('SELECT 1'),
    storage: parts.storage.check(),
    embeddings: parts.embeddings.check(),
    answers: parts.answers.check(),
  };
  const failing: Record<string, string> = {};
  // All are heard from the start: a failure that nobody waits for would end the process.
  await Promise.all(
    Object.entries<Promise<unknown>>(checks).map(([name, check]) =>
      check.catch((error: unknown) => {
        failing[name] = error instanceof Error ? error.message : String(error);
      }),
    ),
  );
  return failing;
}

/** Sweeps now and every few minutes. @returns the end of it, which waits for a sweep that runs */
function keepSweeping(sweep: UseCases['sweep'], log: Log): () => Promise<void> {
  let running = Promise.resolve();
  const run = () => {
    running = sweep().then(
      (swept) => {
        if (swept.removed + swept.failed > 0) log.info(swept, 'swept');
      },
      (err: unknown) => log.error({ err }, 'sweeping failed'),
    );
  };
  run();
  const timer = setInterval(run, SWEEP_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
