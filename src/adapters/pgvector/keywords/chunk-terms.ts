import type { Chunk } from '../../../core/model.ts';
import { searchableText } from '../../../core/searchable-text.ts';
import type { TermReader } from '../../text-analysis/terms.ts';

/** The terms of a chunk, as they are stored. */
export interface ChunkTerms {
  /** How often each occurs, 1 to `MOST_TIMES`. */
  counts: Map<number, number>;
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
  const { counts, length } = reader.read(searchableText(chunk));
  const stored = new Map<number, number>();
  for (const [term, times] of counts) {
    if (stored.size === MOST_TERMS) break;
    stored.set(term, Math.min(times, MOST_TIMES));
  }
  return { counts: stored, length };
}
