import type { Filter } from './filter.ts';
import type { Permission } from './policy.ts';

/**
 * The caller: an API key gives access to all data of its customer, a frontend token to one dataset.
 *
 * A customer has two identifiers everywhere: `customerId` is public, `customerKey` is internal.
 */
export type Principal = {
  /** The primary key in the database; never shown to clients. */
  customerKey: number;
  customerId: string;
} & ({ kind: 'api-key'; keyId: string } | ({ kind: 'token' } & TokenScope));

/** What a frontend token gives access to. */
export interface TokenScope {
  datasetId: string;
  /** Its claim `jti`; the token itself if it has none. */
  tokenId: string;
  /** The API key that made it; none when the operator did. */
  keyId: string | undefined;
  expires: Date;
  permissions: readonly Permission[];
  /** Only files whose metadata matches all of them exist for the token. */
  filters: Filter[];
  /** What its budget had at first, in credits, as an exact decimal; none without a budget. */
  maxCredits: string | undefined;
}

/** The state of a rate window. */
export interface RateStatus {
  /** Calls allowed per window. */
  limit: number;
  /** Calls left in the window. */
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

/** A published file: record, stored copy and chunks exist. */
export interface StoredFile {
  customerId: string;
  datasetId: string;
  /** A UUID. */
  fileId: string;
  /** The path of the stored copy in object storage. */
  filePath: string;
  originalName: string;
  mimeType: string | null;
  /** In bytes. */
  size: number | null;
  /** The id of the loader run that created the chunks. */
  loaderId: string;
  /** ISO 8601, in UTC, with milliseconds. */
  created: string;
  /** With its dot, in lower case; empty when the name has none. */
  extension: string;
  transcriptionText: string | null;
  transcriptionSrt: SrtEntry[] | null;
  extraMeta: JsonObject | null;
  /** The signed download URL; null until it is first read. */
  permanentUrl: string | null;
  /** SHA-256, as 64 hexadecimal digits; null for files of earlier versions. */
  contentHash: string | null;
}

/** An uploaded file on the local disk, before it is ingested. */
export interface SpooledFile {
  originalName: string;
  /** As declared by the client. */
  mimeType: string | null;
  /** In bytes. */
  size: number;
  /** The path on the local disk. */
  path: string;
}

/** An uploaded file with the hash of its bytes. */
export interface ReceivedFile extends SpooledFile {
  /** SHA-256, as 64 hexadecimal digits. */
  contentHash: string;
}

/** A piece of a file's text, about `chunkSize` tokens long. */
export interface Chunk {
  /** 0-based, in the order of the text. */
  position: number;
  content: string;
  /** See `ChunkMetadata`. */
  metadata: JsonObject;
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
