import { resolve } from 'node:path';
import { ConfigurationError } from '../core/errors.ts';
import type { Prices } from '../core/policy.ts';
import type { SearchMode } from '../core/search-mode.ts';
import { chooseFetching, type Fetching } from './choose-fetching.ts';
import { chooseModels, type ModelChoices } from './choose-models.ts';
import { chooseTraces, type TraceOptions } from './choose-traces.ts';
import { chooseTrustedDocuments, type TrustedDocumentsFile } from './choose-trusted-documents.ts';
import { chooseWebhook, type WebhookOptions } from './choose-webhook.ts';
import { findOffice } from './find-office.ts';
import { readEnvironment } from './read-environment.ts';
import { readSecretFiles } from './read-secret-files.ts';
import type { Setting } from './settings/setting.ts';
import { SETTINGS, type SettingValues } from './settings.ts';

/** All settings. `kind` selects the adapter. */
export interface Config {
  host: string;
  port: number;
  /** The URL at which clients reach the gateway, without a slash at the end. Default: the address it listens on. */
  publicUrl: string | undefined;
  logLevel: SettingValues['LOG_LEVEL'];
  /** Browser origins that may call the gateway; `*` allows all. */
  corsOrigins: '*' | string[];
  /** The folder for embedded data; `undefined` keeps it in memory. */
  dataDir: string | undefined;
  /** `undefined`: generated, and saved in the data folder. */
  tokenSecret: string | undefined;
  database:
    | { kind: 'memory' }
    | { kind: 'embedded'; dataDir: string }
    | {
        kind: 'server';
        url: string;
        migrationUrl: string | undefined;
        /** A replica for lists and searches. */
        readUrl: string | undefined;
        poolSize: number;
        statementTimeoutMs: number;
        idleTimeoutMs: number;
      };
  /** Milliseconds between two polls for changes while the database cannot notify. */
  pollMs: number;
  /** The size of the search cache. */
  searchMemoryBytes: number;
  /** How the chunks for an answer are found. */
  searchMode: SearchMode;
  /** The approximate number of tokens that an answer is based on. */
  contextTokens: number;
  storage: { kind: 'disk' } | { kind: 'supabase'; url: string; secretKey: string; bucket: string };
  models: ModelChoices;
  rateLimits: { kind: 'memory' } | { kind: 'redis'; url: string };
  bodyTimeoutMs: number;
  /** Concurrent uploads per customer; more have to wait. */
  uploadsAtOnce: number;
  /** The program that converts documents of old Office versions. */
  office: string | undefined;
  /** `undefined` disables uploads by URL. */
  fetching: Fetching | undefined;
  /** Limits for a GraphQL operation and its response. */
  graphql: { depth: number; cost: number; answerBytes: number };
  trustedDocuments: TrustedDocumentsFile | undefined;
  /** Asynchronous uploads that a gateway works on concurrently. */
  ingestionsAtOnce: number;
  /** Where their ends are reported; `undefined` disables it. */
  webhook: WebhookOptions | undefined;
  prices: Prices;
  /** The token for `/metrics`; `undefined` disables it. */
  metricsToken: string | undefined;
  /** `undefined` disables tracing. */
  traces: TraceOptions | undefined;
}

/**
 * Reads the settings. An empty variable counts as not set, and a secret may be in a file.
 *
 * @param environment default: the variables of the process and of the file `.env`
 * @throws ConfigurationError naming the variable
 */
export function readConfig(environment: NodeJS.ProcessEnv = readEnvironment()): Config {
  const settings = readSettings(readSecretFiles(environment));
  const dataDir = settings.DATA_DIR === 'memory:' ? undefined : resolve(settings.DATA_DIR);
  const config: Config = {
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
    logLevel: settings.LOG_LEVEL,
    corsOrigins: settings.CORS_ORIGINS,
    dataDir,
    tokenSecret: settings.TOKEN_SECRET,
    database: chooseDatabase(settings, dataDir),
    pollMs: settings.DATABASE_POLL_INTERVAL * 1000,
    searchMemoryBytes: settings.SEARCH_MEMORY * 1e6,
    searchMode: settings.SEARCH_MODE,
    contextTokens: settings.CONTEXT_TOKENS,
    storage: chooseStorage(settings),
    models: chooseModels(settings),
    rateLimits: settings.REDIS_URL
      ? { kind: 'redis', url: settings.REDIS_URL }
      : { kind: 'memory' },
    bodyTimeoutMs: settings.BODY_TIMEOUT * 1000,
    uploadsAtOnce: settings.UPLOADS_AT_ONCE,
    office: findOffice(settings.LIBREOFFICE_PATH, environment['PATH']),
    fetching: chooseFetching(settings),
    graphql: {
      depth: settings.GRAPHQL_MAX_DEPTH,
      cost: settings.GRAPHQL_MAX_COST,
      answerBytes: settings.GRAPHQL_MAX_ANSWER * 1e6,
    },
    trustedDocuments: chooseTrustedDocuments(settings),
    ingestionsAtOnce: settings.INGESTIONS_AT_ONCE,
    webhook: chooseWebhook(settings),
    prices: {
      query: settings.PRICE_QUERY,
      search: settings.PRICE_SEARCH,
      upload: settings.PRICE_UPLOAD,
    },
    metricsToken: settings.METRICS_TOKEN,
    traces: chooseTraces(settings),
  };
  return deepFreeze(config);
}

/** Every setting with its value; for a secret, only whether it is set. */
export function describeSettings(
  environment: NodeJS.ProcessEnv = readEnvironment(),
): { setting: string; value: string; purpose: string }[] {
  const given = readSecretFiles(environment);
  const settings: Record<string, unknown> = readSettings(given);
  return Object.entries<Setting>(SETTINGS).map(([setting, { purpose, secret }]) => {
    if (secret) return { setting, value: given[setting] ? 'set, not shown' : 'not set', purpose };
    const value = settings[setting];
    const shown = Array.isArray(value) ? value.join(',') : String(value ?? 'not set');
    return { setting, value: shown, purpose };
  });
}

function readSettings(environment: NodeJS.ProcessEnv): SettingValues {
  const read = Object.entries(SETTINGS).map(([name, { schema }]) => {
    const { success, data, error } = schema.safeParse(environment[name] || undefined);
    if (!success) throw new ConfigurationError(`${name}: ${error.issues[0]?.message}`);
    return [name, data];
  });
  return Object.fromEntries(read);
}

function chooseDatabase(settings: SettingValues, dataDir: string | undefined): Config['database'] {
  if (settings.DATABASE_URL) {
    if (!settings.TOKEN_SECRET) {
      throw new ConfigurationError(
        'TOKEN_SECRET: must be set when DATABASE_URL is, the same for every gateway',
      );
    }
    return {
      kind: 'server',
      url: settings.DATABASE_URL,
      migrationUrl: settings.MIGRATION_DATABASE_URL,
      readUrl: settings.DATABASE_READ_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      statementTimeoutMs: settings.DATABASE_STATEMENT_TIMEOUT * 1000,
      idleTimeoutMs: settings.DATABASE_IDLE_TIMEOUT * 1000,
    };
  }
  // Without it, the embedded database would be used, maybe because of a misspelt name.
  for (const name of ['MIGRATION_DATABASE_URL', 'DATABASE_READ_URL'] as const) {
    if (settings[name]) throw new ConfigurationError(`${name}: needs DATABASE_URL`);
  }
  return dataDir ? { kind: 'embedded', dataDir } : { kind: 'memory' };
}

function chooseStorage(settings: SettingValues): Config['storage'] {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, SUPABASE_BUCKET: bucket } = settings;
  if (!url && !secretKey) return { kind: 'disk' };
  if (!url) throw new ConfigurationError('SUPABASE_URL: must be set when SUPABASE_SECRET_KEY is');
  if (!secretKey)
    throw new ConfigurationError('SUPABASE_SECRET_KEY: must be set when SUPABASE_URL is');
  return { kind: 'supabase', url, secretKey, bucket };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
