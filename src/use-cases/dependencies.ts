import type { Observer } from '../core/observer.ts';
import type { Prices } from '../core/policy.ts';
import type { SearchMode } from '../core/search-mode.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { ChangeNotices } from '../ports/change-notices.ts';
import type { ChunkIndex } from '../ports/chunk-index.ts';
import type { FileFetcher } from '../ports/file-fetcher.ts';
import type { AnswerModel, EmbeddingModel } from '../ports/language-model.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { Query } from '../ports/query.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { Replica } from '../ports/replica.ts';
import type { SupportsStatement } from '../ports/supports-statement.ts';
import type { TextExtractor } from '../ports/text-extractor.ts';
import type { TextRecognizer } from '../ports/text-recognizer.ts';
import type { Transcriber } from '../ports/transcriber.ts';
import type { Webhook } from '../ports/webhook.ts';

/** The dependencies of use-cases; each picks what it needs. */
export interface Dependencies {
  prisma: PrismaClient;
  query: Query;
  /** Where lists and searches are read, if there is one. */
  replica: Replica | undefined;
  /** Whether the tables are distributed over servers by customer: only statements about one customer are quick. */
  isDistributed: boolean;
  storage: ObjectStorage;
  index: ChunkIndex;
  embeddings: EmbeddingModel;
  answers: AnswerModel;
  /** Checks citations. */
  supports: SupportsStatement;
  extractor: TextExtractor;
  /** Without one, uploads by URL are rejected. */
  fetcher: FileFetcher | undefined;
  /** Concurrent uploads by URL for one customer; more have to wait. */
  uploadsAtOnce: number;
  /** Without one, audio and video are rejected. */
  transcriber: Transcriber | undefined;
  /** Without one, images are rejected, and pages that are images have no text. */
  recognizer: TextRecognizer | undefined;
  rateLimiter: RateLimiter;
  changes: ChangeNotices;
  /** Where the ends of asynchronous uploads are reported, if anywhere. */
  webhook: Webhook | undefined;
  /** Asynchronous uploads that this gateway works on concurrently. */
  ingestionsAtOnce: number;
  /** Creates a temporary folder on the local disk. */
  openScratch: () => Promise<{ folder: string; discard: () => Promise<void> }>;
  prices: Prices;
  /** How the chunks for an answer are ranked. */
  searchMode: SearchMode;
  /** About the size of the context of an answer, in tokens; never fewer than 5 chunks. */
  contextTokens: number;
  /** Signs frontend tokens; at least 32 bytes. */
  tokenSecret: Uint8Array;
  /** Encrypts the answers that are kept for repeats; 32 bytes. */
  answerSecret: Uint8Array;
  /** Whether a failure means that the database or the storage is temporarily unavailable. */
  isOutage: (error: unknown) => boolean;
  /** Observes calls of models, and charges. */
  observer: Observer;
  log: Log;
}
