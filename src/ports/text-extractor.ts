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
  /** Tokens that a chunk repeats from the previous one. */
  chunkOverlap: number;
  /** The path of a file with the texts of pages that are images: `RecognizedText[]` as JSON. */
  recognized?: string | undefined;
  signal: AbortSignal;
}

/** The image of a page, a PNG file on the local disk. */
export interface PageImage {
  /** Counts from 1. */
  page: number;
  path: string;
  /** In bytes. */
  size: number;
}

/** The text that a model has read in an image, as Markdown. */
export interface RecognizedText {
  /** None for a file that is an image. */
  page?: number | undefined;
  text: string;
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
   * @throws AppError UNREADABLE_FILE when the file is broken, encrypted or exceeds a limit
   */
  extract(
    file: SpooledFile,
    kind: FileKind,
    options: ExtractOptions,
  ): AsyncIterable<ExtractedChunk[]>;
  /**
   * Images of the pages without a text layer, such as scans. They are written beside the file.
   *
   * @throws AppError UNREADABLE_FILE when there are more than `most`
   */
  renderPages(
    file: SpooledFile,
    options: { owner: string; most: number; signal: AbortSignal },
  ): Promise<PageImage[]>;
  close(): Promise<void>;
}

export interface FileKind {
  /** Names the reader. */
  format: string;
  mimeType: string;
  /** Audio and video are transcribed, everything else is read. */
  media: boolean;
  /** Where a model can recognize text: the file is an image, or some of its pages may be. */
  images?: 'file' | 'pages';
}
