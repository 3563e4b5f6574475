import type { Database } from './adapters/database/database.ts';
import type { ClosableRateLimiter } from './adapters/rate-limiter.ts';
import type { AnswerModel, EmbeddingModel } from './ports/language-model.ts';
import type { ObjectStorage } from './ports/object-storage.ts';
import type { Transcriber } from './ports/transcriber.ts';

/** Tries every part. @returns why each that fails cannot be used, by its name */
export async function checkParts(parts: {
  database: Database;
  storage: ObjectStorage;
  embeddings: EmbeddingModel;
  answers: AnswerModel;
  transcriber: Transcriber | undefined;
  /** Left out where the gateway can do without. */
  rateLimiter?: ClosableRateLimiter;
}): Promise<Record<string, string>> {
  const checks = {
    database: parts.database.pool.query('SELECT 1'),
    storage: parts.storage.check(),
    embeddings: parts.embeddings.check(),
    answers: parts.answers.check(),
    ...(parts.transcriber && { transcription: parts.transcriber.check() }),
    ...(parts.rateLimiter && { rateLimits: parts.rateLimiter.check() }),
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
