import type { Chunk } from '../../../core/model.ts';
import { searchableText } from '../../../core/searchable-text.ts';
import type { TermReader } from '../../text-analysis/terms.ts';
import type { Sparse } from './sparse-encoding.ts';

/** The terms of a chunk, as they are stored. */
export interface ChunkTerms {
  /** How often each term occurs, 1 to `MOST_TIMES`. */
  terms: Sparse;
  /** How many words the chunk has. */
  length: number;
}

/** How often a term counts at most, and the bits that takes: BM25 makes little of what occurs more often. */
export const MOST_TIMES = 15;
export const TIMES_BITS = 4;

/** A `sparsevec` has no more entries. */
const MOST_TERMS = 16_000;

/** The terms of the text by which a chunk is found. */
export function termsOf(
  reader: TermReader,
  chunk: Pick<Chunk, 'content' | 'metadata'>,
): ChunkTerms {
  const { terms, counts, length } = reader.read(searchableText(chunk));
  return {
    terms: {
      dimensions: terms.subarray(0, MOST_TERMS),
      numbers: counts.subarray(0, MOST_TERMS).map((count) => Math.min(count, MOST_TIMES)),
    },
    length,
  };
}
