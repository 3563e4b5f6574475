/** The maxima for one request. */
export const LIMITS = {
  questionCharacters: 32_000,
  /** Turns of a conversation before a question. */
  historyTurns: 50,
  turnCharacters: 32_000,
  /** Instructions for an answer. */
  instructionsCharacters: 2_000,
  /** The filters of a request, also those in groups. */
  filters: 50,
  /** The nesting of groups of filters. */
  filterDepth: 5,
  /** The values in all lists of the filters of a request. */
  filterValues: 1000,
  /** The filters of a frontend token, which is sent in a header. */
  tokenFilterBytes: 2 * 1024,
  datasetIdCharacters: 100,
  filesPerUpload: 20,
  fileNameCharacters: 255,
  /** A URL of a file to fetch. */
  urlCharacters: 8000,
  fileBytes: 100 * 1024 ** 2,
  mediaBytes: 2 * 1024 ** 3,
  /** An image, which a model reads in one request. */
  imageBytes: 20 * 1024 ** 2,
  /** Pages of a file that are images, which a model reads one by one. */
  recognizedPages: 200,
  /** Several times the number that 100 MB of text have by default. */
  chunksPerFile: 500_000,
  /** All files of one upload together. */
  uploadBytes: 2 * 1024 ** 3,
  /** The custom metadata of a file, which each of its chunks repeats. */
  metadataBytes: 16 * 1024,
  idempotencyKeyCharacters: 255,
  /** An answer that is kept for repeats, compressed. */
  keptAnswerBytes: 1024 ** 2,
  /** The text of a file in one response; a language model reads it in one piece. */
  textCharacters: 80_000,
  jsonBodyBytes: 1024 ** 2,
  /** Asynchronous uploads of a customer that have not ended. */
  openIngestions: 20,
  /** Messages of the Model Context Protocol in one request. */
  batchMessages: 20,
  /** Open subscriptions to changes for each customer, in each gateway. */
  subscriptionsPerCustomer: 100,
  /** The body of a request without a credential. */
  anonymousBodyBytes: 64 * 1024,
} as const;

/**
 * The maximum size of a file, by the type that its sender declares or its name shows: many programs declare
 * every file as `application/octet-stream`. The content is checked later.
 */
export function maxFileBytes(file: { originalName: string; mimeType: string | null }): number {
  const isRecording =
    /^(audio|video)\//.test(file.mimeType ?? '') || RECORDING.test(file.originalName);
  return isRecording ? LIMITS.mediaBytes : LIMITS.fileBytes;
}

const RECORDING =
  /\.(?:3gp|aac|aiff?|amr|asf|avi|flac|flv|m4[abv]|mka|mkv|mov|mp[34g]|mpeg|og[agv]|opus|wav|web[am]|wm[av])$/i;

/** How long things are kept. */
export const PERIODS = {
  /** What a gateway knows about a credential; it accepts one that is revoked as long. */
  credentialSeconds: 30,
  /** An idempotency key, from the request that used it first. */
  idempotencyKeyHours: 24,
  /** An asynchronous upload, from its end. */
  ingestionDays: 7,
  /** The changes of a dataset that a subscription can resume from. */
  datasetChangeHours: 1,
} as const;

/** The bytes of a body that must arrive in each interval of `BODY_TIMEOUT` while it is being read. */
export const LEAST_BYTES = 30_000;

/** A whole number that a request may give, and the default when it gives none. */
export interface Range {
  min: number;
  max: number;
  preset: number;
}

export const RANGES = {
  /** Objects in a page of a list. */
  pageSize: { min: 1, max: 1000, preset: 100 },
  /** Objects in a page of a connection. A page of size 0 still has the count and `pageInfo`. */
  connectionSize: { min: 0, max: 1000, preset: 100 },
  /** Chunks in a page of the chunks of a file. */
  chunkPageSize: { min: 0, max: 100, preset: 20 },
  /** Where to begin among the chunks of a file. */
  chunkPosition: { min: 0, max: 2 ** 31 - 1, preset: 0 },
  /** Chunks that a search returns. */
  searchHits: { min: 1, max: 50, preset: 8 },
  /** Tokens in a chunk. */
  chunkSize: { min: 10, max: 2000, preset: 300 },
  /** Seconds for which a frontend token is valid. */
  tokenSeconds: { min: 1, max: 86_400, preset: 3600 },
} as const satisfies Record<string, Range>;

/** Tokens that a chunk repeats from the previous one: at most half a chunk. */
export function overlapRange(chunkSize: number): Range {
  const max = Math.floor(chunkSize / 2);
  return { min: 0, max, preset: Math.min(20, max) };
}

/** The shortest piece of a streamed answer, in characters; only the last one may be shorter. */
export const MIN_DELTA_CHARACTERS = 30;

/** When download links expire, in milliseconds since 1970. */
export const URL_EXPIRY = Date.UTC(2491, 0, 1);
