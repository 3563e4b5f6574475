import type { Readable } from 'node:stream';

/** Where the stored copies are. A path is `[A-Za-z0-9._/-]+`, with no empty and no dot segment. */
export interface ObjectStorage {
  /**
   * For how long a write that was given up may still take effect, in milliseconds: a server that had
   * the whole body stores it, whether anybody waits for its answer or not. 0 when none can.
   */
  readonly lateMs: number;
  /** Stores `body`; replaces what is there. */
  put(path: string, body: () => Readable, options: PutOptions): Promise<void>;
  /** The bytes of an object; rejects when there is none. */
  get(path: string): Promise<Readable>;
  /**
   * URLs that download the objects under their true names until `URL_EXPIRY`, in the order asked;
   * null where there is no object, if the storage looks.
   */
  signUrls(objects: SignedObject[]): Promise<(string | null)[]>;
  /** Those of URLs signed earlier that are still good: address and key of the signature may have changed. */
  stillGood(urls: string[]): Promise<string[]>;
  /**
   * Removes objects; one that is not there counts as removed.
   *
   * @returns the paths that could not be removed
   */
  remove(paths: string[]): Promise<string[]>;
  /** The objects directly in a folder, in pages; none when there is no such folder. */
  list(folder: string): AsyncIterable<ListedObject[]>;
  /** Rejects, with a reason for the operator, when the storage cannot be used. */
  check(): Promise<void>;
}

export interface PutOptions {
  contentType: string;
  /** In bytes. */
  size: number;
  /** Gives up; the put rejects with its reason. */
  signal?: AbortSignal;
}

export interface ListedObject {
  path: string;
  /** When it was stored. */
  modified: Date;
}

export interface SignedObject {
  path: string;
  /** The name the download gets. */
  fileName: string;
}
