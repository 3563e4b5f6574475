import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from './runtime.ts';

/** Tries a part; rejects with the reason why it cannot be used. */
export type Check = () => Promise<unknown>;

/** How each part that a gateway cannot do without is tried, by the name of the part. */
export function checksOf({ database, storage, models }: Runtime, config: Config) {
  return {
    database: async () => (await database()).pool.query('SELECT 1'),
    storage: async () => (await storage()).storage.check(),
    embeddings: async () => (await models()).embeddings.check(),
    answers: async () => (await models()).answers.check(),
    ...(config.models.transcription.kind !== 'none' && {
      transcription: async () => (await models()).transcriber?.check(),
    }),
  };
}

/** Tries every part. @returns why each that fails cannot be used, by its name */
export async function checkParts(checks: Record<string, Check>): Promise<Record<string, string>> {
  const failing: Record<string, string> = {};
  // All are heard from the start: a failure that nobody waits for would end the process.
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

/** How long what was found is good for: load balancers ask often. */
const REMEMBERED_MS = 2000;
/** A part that has not answered by then counts as failing. */
const TIMEOUT_MS = 1500;

/**
 * Tells which parts cannot be used, whatever hangs, and remembers it for a moment. Anybody may
 * ask, so the reasons go to the log, when they change.
 *
 * @returns a function that returns the names of the parts that fail
 */
export function createReadiness(
  checks: Record<string, Check>,
  log: Pick<Log, 'info' | 'warn'>,
): () => Promise<string[]> {
  const hasty = Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [name, () => withTimeout(check)]),
  );
  let asked: { found: Promise<string[]>; until: number } | undefined;
  let told = '{}';
  return () => {
    if (!asked || performance.now() > asked.until) {
      asked = { found: look(), until: performance.now() + REMEMBERED_MS };
    }
    return asked.found;
  };

  async function look(): Promise<string[]> {
    const failing = await checkParts(hasty);
    const reasons = JSON.stringify(failing);
    const names = Object.keys(failing).sort();
    if (reasons !== told && names.length > 0) log.warn({ failing }, 'not ready');
    if (reasons !== told && names.length === 0) log.info({}, 'ready again');
    told = reasons;
    return names;
  }
}

/** Waits for a part that may hang. @throws Error when it has not answered in time */
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
