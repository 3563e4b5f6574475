import type { Passage } from './passage.ts';

export interface Source {
  path: string;
  format: string;
  /** The path of a file with the texts of pages that are images. */
  recognized?: string | undefined;
  signal: AbortSignal;
}

/** Reads a file as passages, in batches. */
export type Reader = (source: Source) => AsyncIterable<Passage[]>;
