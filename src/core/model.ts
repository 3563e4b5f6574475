/** Who calls: an API key speaks for the whole customer, a frontend token for one dataset. */
export type Principal = {
  /** The small key of the customer's rows; never shown. */
  customerKey: number;
  customerId: string;
} & ({ kind: 'api-key' } | { kind: 'token'; datasetId: string });

/** Where a rate window stands. */
export interface RateStatus {
  /** Calls a window. */
  limit: number;
  /** Calls left in this window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
}

/** A subtitle. Times are `HH:MM:SS,mmm`. */
export interface SrtEntry {
  id: string;
  startTime: string;
  endTime: string;
  text: string;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A file that is there whole: record, stored copy and chunks. */
export interface StoredFile {
  customerId: string;
  datasetId: string;
  /** A UUID. */
  fileId: string;
  /** Where the stored copy is in object storage. */
  filePath: string;
  originalName: string;
  mimeType: string | null;
  /** In bytes. */
  size: number | null;
  /** Names the loader run that made the file's chunks. */
  loaderId: string;
  /** ISO 8601, in UTC, with milliseconds. */
  created: string;
  /** With its dot, in lower case; empty when the name has none. */
  extension: string;
  transcriptionText: string | null;
  transcriptionSrt: SrtEntry[] | null;
  extraMeta: JsonObject | null;
  /** The signed download URL, once somebody asked for it. */
  permanentUrl: string | null;
}

/** An uploaded file that waits on the local disk to be taken in. */
export interface SpooledFile {
  originalName: string;
  /** What the client says it is. */
  mimeType: string | null;
  /** In bytes. */
  size: number;
  /** Where it is on the local disk. */
  path: string;
}

/** A piece of a file's text, about `chunkSize` tokens long. */
export interface Chunk {
  /** 0-based, in the order of the text. */
  position: number;
  content: string;
  /** Where it is from (`page`, `slide`, `sheet`, `row`, `heading`, ...), whose it is, and the file's custom metadata. */
  metadata: JsonObject;
}

/** Matches chunks whose metadata field `key` is exactly `match.value`, type included. */
export interface Filter {
  key: string;
  match: { value: string | number | boolean };
}

export interface SearchHit {
  /** Cosine similarity of question and chunk, -1 to 1. */
  score: number;
  pageContent: string;
  metadata: JsonObject;
}

/** How common words are among some chunks. */
export interface DocumentFrequencies {
  chunkCount: number;
  /** `counts[i]` of the chunks have the word `words[i]`, or another form of it. */
  counts: number[];
}

/** What answering a question yields: the sources, then the text piece by piece, then the whole of it. */
export type AnswerEvent =
  | { type: 'sources'; sources: SearchHit[] }
  | { type: 'delta'; delta: string }
  | { type: 'completed'; result: string };
