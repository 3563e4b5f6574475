import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from './runtime.ts';

/** Checks a part; rejects with the reason why it cannot be used. */
export type Check = () => Promise<unknown>;

/** The checks of all parts that a gateway needs, by the name of the part. */
export function checksOf({ database, storage, models }: Runtime, config: Config) {
  return {
    database: async () => (await database()).pool.query('SELECT 1'),
    storage: async () => (await storage()).storage.check(),
    embeddings: async () => (await models()).embeddings.check(),
    answers: async () => (await models()).answers.check(),
    ...(config.models.transcription.kind !== 'none' && {
      transcription: async () => (await models()).transcriber?.check(),
    }),
    ...(config.models.recognition.kind !== 'none' && {
      recognition: async () => (await models()).recognizer?.check(),
    }),
  };
}

/** Checks every part. @returns the reasons of those that fail, by name */
export async function checkParts(checks: Record<string, Check>): Promise<Record<string, string>> {
  const failing: Record<string, string> = {};
  // All run at once and handle their own errors: an unhandled rejection would end the process.
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await check();
      } catch (error) {
        failing[name] = error instanceof Error ? error.message : String(error);
      }
    }),
  );
  return failing;
}

/** Milliseconds for which a result is cached: load balancers ask often. */
const CACHE_TTL_MS = 2000;
/** Milliseconds before the check of a part times out. */
const TIMEOUT_MS = 1500;

/**
 * Checks which parts cannot be used, with a timeout, and caches the result. The endpoint needs no
 * credential, so the reasons are not returned; they are logged when they change.
 *
 * @returns a function that returns the names of the parts that fail
 */
export function createReadiness(
  checks: Record<string, Check>,
  log: Pick<Log, 'info' | 'warn'>,
): () => Promise<string[]> {
  const limited = Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [name, () => withTimeout(check)]),
  );
  let latest: { found: Promise<string[]>; until: number } | undefined;
  let logged = '{}';
  return () => {
    if (!latest || performance.now() > latest.until) {
      latest = { found: check(), until: performance.now() + CACHE_TTL_MS };
    }
    return latest.found;
  };

  async function check(): Promise<string[]> {
    const failing = await checkParts(limited);
    const reasons = JSON.stringify(failing);
    const names = Object.keys(failing).sort();
    if (reasons !== logged && names.length > 0) log.warn({ failing }, 'not ready');
    if (reasons !== logged && names.length === 0) log.info({}, 'ready again');
    logged = reasons;
    return names;
  }
}

/** Waits for a part that may hang. @throws Error when it times out */
export async function withTimeout<T>(work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
