import type { JsonObject, SpooledFile } from '../core/model.ts';

/** A chunk's text, and where in its file it is from (`page`, `slide`, `sheet`, `row`, `heading`, ...). */
export interface TextChunk {
  content: string;
  origin: JsonObject;
}

export interface ExtractOptions {
  /** Whom the file belongs to: what reads files is shared out evenly among owners. */
  owner: string;
  /** Tokens a chunk. */
  chunkSize: number;
  /** Tokens that a chunk repeats of the one before. */
  chunkOverlap: number;
  signal: AbortSignal;
}

/** Reads files of many formats and cuts their text into chunks. */
export interface TextExtractor {
  /**
   * What a file is, by its content first and then by its name.
   *
   * @throws AppError UNSUPPORTED_FILE_TYPE when it can be read by nothing here
   */
  identify(file: SpooledFile): Promise<FileKind>;
  /**
   * The chunks of a file, in batches, as they are read.
   *
   * @throws AppError UNREADABLE_FILE when the file is broken, encrypted or unreasonable
   */
  extract(file: SpooledFile, kind: FileKind, options: ExtractOptions): AsyncIterable<TextChunk[]>;
  close(): Promise<void>;
}

export interface FileKind {
  /** Names the reader. */
  format: string;
  mimeType: string;
  /** Audio and video are transcribed, everything else is read. */
  media: boolean;
}
