import type { Origin } from '../core/chunk-metadata.ts';
import type { SpooledFile } from '../core/model.ts';

/** The text of a chunk, and where in its file it comes from. */
export interface ExtractedChunk {
  content: string;
  origin: Origin;
}

export interface ExtractOptions {
  /** The owner of the file: extraction capacity is shared evenly among owners. */
  owner: string;
  /** The size of a chunk, in tokens. */
  chunkSize: number;
  /** Tokens that a chunk repeats from the one before. */
  chunkOverlap: number;
  signal: AbortSignal;
}

/** Reads files of many formats and cuts their text into chunks. */
export interface TextExtractor {
  /**
   * Identifies the format of a file, by its content first and then by its name.
   *
   * @throws AppError UNSUPPORTED_FILE_TYPE when no reader supports it
   */
  identify(file: SpooledFile): Promise<FileKind>;
  /**
   * The chunks of a file, in batches, while it is being read.
   *
   * @throws AppError UNREADABLE_FILE when the file is broken, encrypted or unreasonable
   */
  extract(
    file: SpooledFile,
    kind: FileKind,
    options: ExtractOptions,
  ): AsyncIterable<ExtractedChunk[]>;
  close(): Promise<void>;
}

export interface FileKind {
  /** Names the reader. */
  format: string;
  mimeType: string;
  /** Audio and video are transcribed, everything else is read. */
  media: boolean;
}
