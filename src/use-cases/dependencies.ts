import type { Observer } from '../core/observer.ts';
import type { Prices } from '../core/policy.ts';
import type { SearchMode } from '../core/search-mode.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { ChunkIndex } from '../ports/chunk-index.ts';
import type { AnswerModel, EmbeddingModel } from '../ports/language-model.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { Query } from '../ports/query.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { TextExtractor } from '../ports/text-extractor.ts';
import type { Transcriber } from '../ports/transcriber.ts';

/** Everything that use-cases reach the world through; each picks what it needs. */
export interface Dependencies {
  prisma: PrismaClient;
  query: Query;
  storage: ObjectStorage;
  index: ChunkIndex;
  embeddings: EmbeddingModel;
  answers: AnswerModel;
  extractor: TextExtractor;
  /** None: audio and video are refused. */
  transcriber: Transcriber | undefined;
  rateLimiter: RateLimiter;
  prices: Prices;
  /** How the chunks for an answer are chosen. */
  searchMode: SearchMode;
  /** The size of what a model answers from, about: fewer than 5 chunks it never is. */
  contextTokens: number;
  /** Signs frontend tokens; at least 32 bytes. */
  tokenSecret: Uint8Array;
  /** Whether a failure means that the database or the storage is away for a moment. */
  isOutage: (error: unknown) => boolean;
  /** Told of calls of models, and of credits that are booked. */
  observer: Observer;
  log: Log;
}
