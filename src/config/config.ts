import { resolve } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../core/errors.ts';
import { PRICES, type Prices } from '../core/policy.ts';
import { SEARCH_MODES, type SearchMode } from '../core/search-mode.ts';
import { chooseModels, type ModelChoices } from './choose-models.ts';

/** Every setting, read once. Back ends are told apart by `kind`. */
export interface Config {
  host: string;
  port: number;
  /** Where clients reach the gateway, with no slash at the end; download links lead there. Where it listens, unless given. */
  publicUrl: string | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Browser origins that may call; `*` is any. */
  corsOrigins: '*' | string[];
  /** Where embedded things live; `undefined` keeps them in memory. */
  dataDir: string | undefined;
  /** `undefined`: made, and kept in the data folder. */
  tokenSecret: string | undefined;
  database:
    | { kind: 'memory' }
    | { kind: 'embedded'; dataDir: string }
    | {
        kind: 'server';
        url: string;
        directUrl: string | undefined;
        poolSize: number;
        statementTimeoutMs: number;
        idleTimeoutMs: number;
      };
  /** For the codes that searches look at first. */
  searchMemoryBytes: number;
  /** How the chunks for an answer are chosen. */
  searchMode: SearchMode;
  /** Of the chunks that a model answers from. */
  contextTokens: number;
  storage: { kind: 'disk' } | { kind: 'supabase'; url: string; secretKey: string; bucket: string };
  models: ModelChoices;
  rateLimits: { kind: 'memory' } | { kind: 'redis'; url: string };
  bodyTimeoutMs: number;
  /** Uploads of one customer at once; further ones wait. */
  uploadsAtOnce: number;
  /** The most that one GraphQL operation may ask for, and that its answer may be. */
  graphql: { depth: number; cost: number; answerBytes: number };
  prices: Prices;
}

interface Setting {
  purpose: string;
  schema: z.ZodType<unknown, string | undefined>;
  /** Never printed. */
  secret?: boolean;
}

const text = z.string().optional();
const secret = (least: number) =>
  z.string().min(least, `must be at least ${least} characters long`).optional();
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const price = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number of credits, such as 0.1');

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL');

function wholeNumber(preset: string, min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .default(preset)
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, error)
    .transform(Number);
}

function isBase(url: string): boolean {
  const { search, hash } = new URL(url);
  return search === '' && hash === '';
}

/** Whether a browser can send a text as an origin: no path, no default port, no capitals. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // Of other schemes, such as those of applications, there is no rule.
  return origin === 'null' || origin === text;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The environment variables, their purposes, and how each is read. */
export const SETTINGS = {
  HOST: { purpose: 'address to listen on', schema: z.string().default('127.0.0.1') },
  PORT: {
    purpose: 'port to listen on',
    schema: wholeNumber('4000', 0, 65_535),
  },
  PUBLIC_URL: {
    purpose: 'where clients reach the gateway; http://HOST:PORT unless given',
    schema: httpUrl.refine(isBase, 'must have no query and no fragment').optional(),
  },
  DATA_DIR: {
    purpose: 'folder of the embedded database and the stored copies; memory: keeps them in memory',
    schema: z
      .string()
      .refine(
        (value) => value === 'memory:' || !/^:?memory:?\/*$/i.test(value),
        'must be memory: with its colon, or a folder, such as ./memory',
      )
      .default('./data'),
  },
  TOKEN_SECRET: {
    purpose: 'signs frontend tokens and download links; made and kept in DATA_DIR when embedded',
    schema: secret(32),
    secret: true,
  },
  LOG_LEVEL: {
    purpose: LOG_LEVELS.join(', '),
    schema: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  },
  CORS_ORIGINS: {
    purpose: 'browser origins that may call, separated by commas; * is any',
    schema: z
      .string()
      .default('*')
      .transform((value): '*' | string[] =>
        value === '*' ? value : value.split(',').map((origin) => origin.trim()),
      )
      .refine(
        (value) => value === '*' || value.every(isOrigin),
        'must be * alone, or origins as browsers send them, such as https://app.example',
      ),
  },
  DATABASE_URL: {
    purpose:
      'PostgreSQL >= 15 with pgvector >= 0.8, or a pooler before it; the embedded database unless given',
    schema: postgresUrl.optional(),
    secret: true,
  },
  DIRECT_URL: {
    purpose: 'the same database past its pooler, for migrations; DATABASE_URL unless given',
    schema: postgresUrl.optional(),
    secret: true,
  },
  DATABASE_POOL_SIZE: { purpose: 'the most connections', schema: wholeNumber('10', 1, 1000) },
  DATABASE_STATEMENT_TIMEOUT: {
    purpose: 'seconds after which a statement is given up',
    schema: wholeNumber('60', 1, 3600),
  },
  DATABASE_IDLE_TIMEOUT: {
    purpose: 'seconds after which an unused connection is closed',
    schema: wholeNumber('30', 1, 3600),
  },
  SEARCH_MEMORY: {
    purpose:
      'megabytes that codes of vectors and lists of words may take in memory, of 900 chunks each; 0 keeps none',
    schema: wholeNumber('256', 0, 4_000),
  },
  SEARCH_MODE: {
    purpose:
      'how the chunks for an answer are chosen: vector (by meaning), keyword (by words) or hybrid (by both)',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(SEARCH_MODES, `must be one of ${SEARCH_MODES.join(', ')}`))
      .default('hybrid'),
  },
  CONTEXT_TOKENS: {
    purpose:
      'tokens of text that an answer is written from, about: the best 5 to 10 chunks, and what stands around them in their files',
    schema: wholeNumber('4000', 0, 1_000_000),
  },
  REDIS_URL: {
    purpose: 'counts rate limits for several gateways; in memory unless given',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must be a redis:// URL')
      .optional(),
    secret: true,
  },
  SUPABASE_URL: {
    purpose: 'Supabase project that stores the copies; the folder DATA_DIR unless given',
    schema: httpUrl.optional(),
  },
  SUPABASE_SECRET_KEY: {
    purpose: 'secret (service role) key of the project',
    schema: text,
    secret: true,
  },
  SUPABASE_BUCKET: {
    purpose: 'private bucket of the stored copies',
    schema: z.string().default('filequery'),
  },
  OPENAI_API_KEY: {
    purpose: 'answers, embeddings and transcription by OpenAI; offline models unless given',
    schema: text,
    secret: true,
  },
  OPENAI_BASE_URL: {
    purpose: "another server that speaks OpenAI's protocol; some need no key",
    schema: httpUrl.optional(),
  },
  CHAT_MODEL: {
    purpose:
      'model that answers, or provider:model, or offline; gpt-4.1-mini with a key, else offline',
    schema: text,
  },
  EMBEDDING_MODEL: {
    purpose: 'model that embeds, or offline; text-embedding-3-small with a key, else offline',
    schema: text,
  },
  TRANSCRIPTION_MODEL: {
    purpose: 'model that hears recordings, or none; whisper-1 of OpenAI itself, else none',
    schema: text,
  },
  MODEL_TIMEOUT: {
    purpose: 'seconds that a model may keep silent',
    // Node's fetch waits no longer for the headers of an answer.
    schema: wholeNumber('60', 1, 300),
  },
  BODY_TIMEOUT: {
    purpose: "seconds in which the next 30 kB of a request's body must come, or its end",
    schema: wholeNumber('30', 1, 3600),
  },
  UPLOADS_AT_ONCE: {
    purpose: 'uploads of one customer that are received at once; further ones wait',
    schema: wholeNumber('8', 1, 1000),
  },
  GRAPHQL_MAX_DEPTH: {
    purpose: 'levels of fields that a GraphQL operation may have',
    schema: wholeNumber('20', 1, 100),
  },
  GRAPHQL_MAX_COST: {
    purpose:
      'values that a GraphQL operation may ask for; a field that reads or does something is 100',
    schema: wholeNumber('50000', 1, 10_000_000),
  },
  GRAPHQL_MAX_ANSWER: {
    purpose: 'megabytes that the answer of a GraphQL operation may have',
    schema: wholeNumber('32', 1, 400),
  },
  PRICE_QUERY: { purpose: 'credits for an answer', schema: price.default(PRICES.query) },
  PRICE_SEARCH: { purpose: 'credits for a search', schema: price.default(PRICES.search) },
  PRICE_UPLOAD: { purpose: 'credits for an uploaded file', schema: price.default(PRICES.upload) },
} as const satisfies Record<string, Setting>;

type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]['schema']> };

/**
 * Reads the settings; an empty variable counts as not given.
 *
 * @throws OperatorError naming the variable
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const settings = readSettings(environment);
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
    graphql: {
      depth: settings.GRAPHQL_MAX_DEPTH,
      cost: settings.GRAPHQL_MAX_COST,
      answerBytes: settings.GRAPHQL_MAX_ANSWER * 1e6,
    },
    prices: {
      query: settings.PRICE_QUERY,
      search: settings.PRICE_SEARCH,
      upload: settings.PRICE_UPLOAD,
    },
  };
  return deepFreeze(config);
}

/** Every setting with what it is set to; a secret only tells whether it is. */
export function describeSettings(
  environment: NodeJS.ProcessEnv = process.env,
): { setting: string; value: string; purpose: string }[] {
  const settings: Record<string, unknown> = readSettings(environment);
  return Object.entries<Setting>(SETTINGS).map(([setting, { purpose, secret }]) => {
    const value = settings[setting];
    const shown = Array.isArray(value) ? value.join(',') : String(value ?? 'not set');
    return { setting, value: secret && value !== undefined ? 'set, not shown' : shown, purpose };
  });
}

function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const read = Object.entries(SETTINGS).map(([name, { schema }]) => {
    const { success, data, error } = schema.safeParse(environment[name] || undefined);
    if (!success) throw new OperatorError(`${name}: ${error.issues[0]?.message}`);
    return [name, data];
  });
  return Object.fromEntries(read);
}

function chooseDatabase(settings: Settings, dataDir: string | undefined): Config['database'] {
  if (settings.DATABASE_URL) {
    if (!settings.TOKEN_SECRET) {
      throw new OperatorError(
        'TOKEN_SECRET: must be set when DATABASE_URL is, the same for every gateway',
      );
    }
    return {
      kind: 'server',
      url: settings.DATABASE_URL,
      directUrl: settings.DIRECT_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      statementTimeoutMs: settings.DATABASE_STATEMENT_TIMEOUT * 1000,
      idleTimeoutMs: settings.DATABASE_IDLE_TIMEOUT * 1000,
    };
  }
  return dataDir ? { kind: 'embedded', dataDir } : { kind: 'memory' };
}

function chooseStorage(settings: Settings): Config['storage'] {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, SUPABASE_BUCKET: bucket } = settings;
  if (!url && !secretKey) return { kind: 'disk' };
  if (!url) throw new OperatorError('SUPABASE_URL: must be set when SUPABASE_SECRET_KEY is');
  if (!secretKey) throw new OperatorError('SUPABASE_SECRET_KEY: must be set when SUPABASE_URL is');
  return { kind: 'supabase', url, secretKey, bucket };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
