/** A file on the web, while it is being received. */
export interface RemoteFile {
  /** A name without a path, of at most 255 characters. */
  originalName: string;
  /** As declared by the server. */
  mimeType: string | null;
  /** The size in bytes that the server declares, if it does. */
  size: number | undefined;
  /** The content. To stop reading it early ends the connection. */
  body: AsyncIterable<Uint8Array>;
}

/** Fetches files from public addresses. */
export interface FileFetcher {
  /**
   * Begins to fetch a file.
   *
   * @param url an http(s) URL without credentials
   * @param signal ends the connection, also while the body is being read
   * @throws AppError URL_NOT_FETCHED, also from the body
   */
  fetch(url: URL, signal: AbortSignal): Promise<RemoteFile>;
}
