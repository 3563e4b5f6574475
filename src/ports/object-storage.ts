import type { Readable } from 'node:stream';

/**
 * Stores the copies of files. A path matches `[A-Za-z0-9._/-]+` and has no empty segment, `.` or
 * `..`.
 */
export interface ObjectStorage {
  /**
   * How long a cancelled write may still take effect, in milliseconds: a server that has received
   * the whole body stores it even if the client has disconnected. 0 if this cannot happen.
   */
  readonly lateMs: number;
  /** Stores `body`, and replaces an existing object. */
  put(path: string, body: () => Readable, options: PutOptions): Promise<void>;
  /** Reads an object. Rejects if it does not exist, and with the signal's reason until reading has begun. */
  get(path: string, signal?: AbortSignal): Promise<Readable>;
  /**
   * Creates URLs that download the objects under their original names until `URL_EXPIRY`, in the
   * same order. An entry is null if the storage checks for the object and it does not exist.
   */
  signUrls(objects: SignedObject[]): Promise<(string | null)[]>;
  /**
   * Returns the URLs that are still valid: the base URL or the signing key may have changed since
   * they were signed.
   */
  stillGood(urls: string[]): Promise<string[]>;
  /**
   * Removes objects. A missing object counts as removed.
   *
   * @returns the paths that could not be removed
   */
  remove(paths: string[]): Promise<string[]>;
  /**
   * Lists the objects directly in a folder, in pages. There are none if the folder does not exist.
   */
  list(folder: string): AsyncIterable<ListedObject[]>;
  /** Rejects, with a reason for the operator, if the storage cannot be used. */
  check(): Promise<void>;
}

export interface PutOptions {
  contentType: string;
  /** In bytes. */
  size: number;
  /** Cancels the write; `put` then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface ListedObject {
  path: string;
  /** In bytes; null if the storage does not say. */
  size: number | null;
  /** The time when it was stored. */
  modified: Date;
}

export interface SignedObject {
  path: string;
  /** The file name of the download. */
  fileName: string;
}
