import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTextExtractor } from '../adapters/extraction/text-extractor.ts';
import { openDatabase } from '../adapters/postgres/database.ts';
import { isOutage } from '../adapters/postgres/outage.ts';
import {
  type ClosableRateLimiter,
  createMemoryRateLimiter,
} from '../adapters/rate-limits/memory.ts';
import { createRedisRateLimiter } from '../adapters/rate-limits/redis.ts';
import { deriveKey, keptSecret } from '../adapters/token-secret.ts';
import { createSearchMemory } from '../adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../adapters/vectors/pgvector-index.ts';
import type { Config } from '../config/config.ts';
import type { OperatorError } from '../core/errors.ts';
import { addressOf } from '../http/listen.ts';
import type { Log } from '../ports/log.ts';
import { type Admin, createAdmin } from '../use-cases/accounts/admin.ts';
import type { Dependencies } from '../use-cases/dependencies.ts';
import { createUseCases, type UseCases } from '../use-cases/index.ts';
import { createModels } from './models.ts';
import { checkParts, createReadiness } from './readiness.ts';

/** What the operator works with: everything but the faces. */
export interface Backstage {
  admin: Admin;
  sweep: UseCases['sweep'];
  /** Ends what waits to be booked. */
  settle: UseCases['settle'];
  /** Which parts that the gateway cannot do without cannot be used now; none when all can. */
  check(): Promise<string[]>;
  /** Why each part that is set up and cannot be used cannot be; empty when all can. */
  checkAll(): Promise<Record<string, string>>;
  /** Comes when the database is gone for good; never if it does not come to that. */
  lost: Promise<OperatorError>;
  close(): Promise<void>;
}

/** How long a gateway that starts waits for a database server that starts too. */
const GATEWAY_PATIENCE_MS = 30_000;

/** Changes what the use-cases are given; tests put faults there. */
export type Refit = (deps: Dependencies) => Dependencies;

/** Wires what the command line needs, beside a running gateway or alone. */
export function createBackstage(config: Config, log: Log): Promise<Backstage> {
  return assemble(config, log, { share: true });
}

/**
 * Settings choose the adapters, use-cases take them.
 *
 * @param share whether to work beside a gateway that runs on the same data folder
 */
export async function assemble(
  config: Config,
  log: Log,
  { share, refit = (deps) => deps }: { share: boolean; refit?: Refit | undefined },
) {
  const { dataDir } = config;
  // What was opened before something else cannot be is closed again.
  await using opened = new AsyncDisposableStack();
  const { embeddings, answers, transcriber } = await createModels(config.models, {
    log,
    prove: !share,
  });
  const database = await openDatabase(
    config.database.kind === 'embedded' ? { ...config.database, share } : config.database,
    {
      patienceMs: share ? 0 : GATEWAY_PATIENCE_MS,
      onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
      onCrash: (how) => log.error({ how }, 'the embedded database ended, and is started again'),
    },
  );
  opened.defer(() => database.close());
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'filequery-')));
  if (!dataDir) opened.defer(() => rm(folder, { recursive: true, force: true }));
  const secret = config.tokenSecret ?? (dataDir ? await keptSecret(dataDir) : randomSecret());
  const { storage, downloads, isStorageOutage } = await createStorage(config, log, {
    folder,
    secret,
    prove: !share,
    isInUse: async () => (await database.prisma.file.findFirst({ select: { id: true } })) !== null,
  });
  const extractor = opened.adopt(createTextExtractor(), (one) => one.close());
  const rateLimiter = opened.adopt(createRateLimiter(config, log), (one) => one.close());
  const { prisma, pool, query } = database;
  const cache = createSearchMemory(pool, { bytes: config.searchMemoryBytes });
  const deps = refit({
    prisma,
    query,
    storage,
    index: await createPgvectorIndex({ pool, query, cache, embeddings }),
    embeddings,
    answers,
    extractor,
    transcriber,
    rateLimiter,
    prices: config.prices,
    searchMode: config.searchMode,
    contextTokens: config.contextTokens,
    tokenSecret: deriveKey(secret, 'tokens'),
    isOutage: (error) => isOutage(error) || isStorageOutage(error),
    log,
  });
  const useCases = createUseCases(deps);
  opened.defer(() => useCases.settle());

  const checks = {
    database: () => pool.query('SELECT 1'),
    storage: storage.check,
    embeddings: () => embeddings.check(),
    answers: () => answers.check(),
    ...(transcriber && { transcription: () => transcriber.check() }),
  };
  const parts = opened.move();
  return {
    useCases,
    sweep: useCases.sweep,
    index: deps.index,
    settle: useCases.settle,
    admin: createAdmin(deps),
    folder,
    downloads,
    check: createReadiness(checks, log),
    checkAll: () => checkParts({ ...checks, rateLimits: rateLimiter.check }),
    lost: database.lost,
    close: () => parts.disposeAsync(),
  };
}

/** @param prove whether settings that cannot work stop the start; the command line asks when it wants to know */
async function createStorage(
  { storage, publicUrl, ...config }: Config,
  log: Log,
  {
    folder,
    secret,
    prove,
    isInUse,
  }: { folder: string; secret: string; prove: boolean; isInUse: () => Promise<boolean> },
) {
  switch (storage.kind) {
    case 'disk': {
      const { createDiskStorage } = await import('../adapters/storage/disk/disk-storage.ts');
      const { createDownloads } = await import('../adapters/storage/disk/downloads.ts');
      const options = {
        folder: join(folder, 'objects'),
        baseUrl: `${publicUrl ?? addressOf(config)}/storage`,
        secret: deriveKey(secret, 'downloads'),
      };
      return {
        storage: createDiskStorage(options),
        downloads: createDownloads(options),
        isStorageOutage: () => false,
      };
    }
    case 'supabase': {
      const { createSupabaseStorage } = await import(
        '../adapters/storage/supabase/supabase-storage.ts'
      );
      const { isStorageOutage } = await import('../adapters/storage/supabase/storage-failure.ts');
      return {
        storage: await createSupabaseStorage({ ...storage, log, prove, isInUse }),
        downloads: undefined,
        isStorageOutage,
      };
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

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
