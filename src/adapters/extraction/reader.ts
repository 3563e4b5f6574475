import type { Passage } from './passage.ts';

export interface Source {
  path: string;
  format: string;
  signal: AbortSignal;
}

/** Reads a file as passages, in batches. */
export type Reader = (source: Source) => AsyncIterable<Passage[]>;
