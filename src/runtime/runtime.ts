import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOutage } from '../adapters/postgres/outage.ts';
import { deriveKey, keptSecret } from '../adapters/token-secret.ts';
import { createWebhook } from '../adapters/webhook.ts';
import type { Config } from '../config/config.ts';
import { openSpoolFolder } from '../http/spool.ts';
import type { Log } from '../ports/log.ts';
import { toApiKey } from '../use-cases/accounts/api-key.ts';
import type { Dependencies } from '../use-cases/dependencies.ts';
import { openChangeNotices } from './change-notices.ts';
import { openDatabaseOf } from './database.ts';
import { openFileFetcher } from './file-fetcher.ts';
import { openModels } from './models.ts';
import { observeModels } from './observe-models.ts';
import { createParts } from './parts.ts';
import { openRateLimiter } from './rate-limiter.ts';
import { openReadReplica } from './read-replica.ts';
import { openStorage } from './storage.ts';
import { createTelemetry } from './telemetry.ts';

export interface RuntimeOptions {
  /**
   * `gateway` owns the data folder, waits for a database server that is starting, and stops at settings
   * that cannot work. `operator` works beside a running gateway or alone, and does not wait.
   */
  role: 'gateway' | 'operator';
  /** Called while an embedded database starts, in a separate process: meanwhile, modules can be loaded. */
  onDatabaseStarting?: () => void;
}

export type Runtime = ReturnType<typeof createRuntime>;

/**
 * The parts of the service. The settings choose the adapter of each part; it is loaded and built
 * when it is first needed, with the parts that it needs, and closed by `close`.
 */
export function createRuntime(
  config: Config,
  log: Log,
  { role, onDatabaseStarting = () => {} }: RuntimeOptions,
) {
  const isGateway = role === 'gateway';
  const { part, close } = createParts();

  /** Where files are kept. In memory mode: a temporary folder. */
  const folder = part(
    async () => config.dataDir ?? (await mkdtemp(join(tmpdir(), 'filequery-'))),
    config.dataDir ? undefined : (path) => rm(path, { recursive: true, force: true }),
  );

  /** Where uploaded files are while they are read. */
  const spoolDir = part(async () => join(await folder(), 'incoming'));

  const secret = part(async () => {
    if (config.tokenSecret) return config.tokenSecret;
    return config.dataDir ? keptSecret(config.dataDir) : randomBytes(32).toString('base64url');
  });

  const tokenSecret = part(async () => deriveKey(await secret(), 'tokens'));

  /** Does not change while the secret does not; stored nowhere. */
  const demoKey = part(async () => toApiKey(deriveKey(await secret(), 'demo')));

  const database = part(
    () => openDatabaseOf(config, log, { isGateway, onStarting: onDatabaseStarting }),
    (opened) => opened.close(),
  );

  /** The replica of the database, if there is one. */
  const replica = part(
    () => openReadReplica(config, log, database),
    async (opened) => opened?.close(),
  );

  /** Only a gateway is observed. */
  const telemetry = part(
    () => createTelemetry(isGateway ? config : {}, log),
    (opened) => opened.close(),
  );

  const models = part(() => openModels(config.models, { log, checkAtStart: isGateway }));

  const storage = part(async () => {
    // Before the secret, too: an embedded database makes the data folder.
    const { prisma } = await database();
    return openStorage(config, log, {
      folder: await folder(),
      linkSecret: deriveKey(await secret(), 'downloads'),
      checkAtStart: isGateway,
      isInUse: async () => (await prisma.file.findFirst({ select: { id: true } })) !== null,
    });
  });

  const rateLimiter = part(
    () => openRateLimiter(config, log),
    (opened) => opened.close(),
  );

  const extractor = part(
    async () => {
      const { createTextExtractor } = await import('../adapters/extraction/text-extractor.ts');
      return createTextExtractor({ office: config.office });
    },
    (opened) => opened.close(),
  );

  const searchMemory = part(async () => {
    const { createSearchMemory } = await import('../adapters/vectors/memory/search-memory.ts');
    const { pool } = await database();
    const copy = await replica();
    return createSearchMemory(copy?.reading ?? pool, { bytes: config.searchMemoryBytes });
  });

  const index = part(async () => {
    const [opened, copy, { embeddings }, cache] = await Promise.all([
      database(),
      replica(),
      models(),
      searchMemory(),
    ]);
    const { openIndex } = await import('./chunk-index.ts');
    return openIndex({ database: opened, replica: copy, cache, embeddings });
  });

  const supports = part(async () => {
    const { supportsStatement } = await import('../adapters/models/offline/supports-statement.ts');
    return supportsStatement;
  });

  const changes = part(
    async () => openChangeNotices(config, log, await database()),
    (opened) => opened.close(),
  );

  /** The dependencies of the use-cases: all parts, built concurrently. */
  const dependencies = part(async (): Promise<Dependencies> => {
    // Models first: a setting that cannot work is reported before a database is started.
    const { observer } = await telemetry();
    const observed = observeModels(await models(), observer);
    const [{ prisma, query, isDistributed }, opened, ...others] = await Promise.all([
      database(),
      storage(),
      index(),
      extractor(),
      rateLimiter(),
      changes(),
      replica(),
    ]);
    const incoming = await spoolDir();
    const [chunkIndex, textExtractor, limiter, changeNotices, copy] = others;
    return {
      prisma,
      query,
      replica: copy,
      isDistributed,
      storage: opened.storage,
      index: chunkIndex,
      ...observed,
      supports: await supports(),
      extractor: textExtractor,
      fetcher: await openFileFetcher(config),
      uploadsAtOnce: config.uploadsAtOnce,
      rateLimiter: limiter,
      changes: changeNotices,
      webhook: config.webhook && createWebhook(config.webhook),
      ingestionsAtOnce: config.ingestionsAtOnce,
      openScratch: () => openSpoolFolder(incoming),
      prices: config.prices,
      searchMode: config.searchMode,
      contextTokens: config.contextTokens,
      tokenSecret: await tokenSecret(),
      answerSecret: deriveKey(await secret(), 'answers'),
      isOutage: (error) => isOutage(error) || opened.isStorageOutage(error),
      observer,
      log,
    };
  });

  return {
    spoolDir,
    folder,
    tokenSecret,
    demoKey,
    database,
    replica,
    telemetry,
    models,
    storage,
    rateLimiter,
    searchMemory,
    index,
    dependencies,
    close,
  };
}
