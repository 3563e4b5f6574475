import type { Chunk } from '../../../core/model.ts';
import { searchableText } from '../../../core/searchable-text.ts';
import type { TermReader } from '../../text-analysis/terms.ts';
import type { Sparse } from './sparse-encoding.ts';

/** The terms of a chunk, as they are stored. */
export interface ChunkTerms {
  /** How often each term occurs: 1 to `MOST_TIMES`. */
  terms: Sparse;
  /** The number of words in the chunk. */
  length: number;
}

/**
 * The maximum count of a term, and its size in bits. Higher counts make little difference to BM25.
 */
export const MOST_TIMES = 15;
export const TIMES_BITS = 4;

/** The maximum number of entries in a `sparsevec`. */
const MOST_TERMS = 16_000;

/** The terms of a chunk's searchable text. */
export function termsOf(
  reader: TermReader,
  chunk: Pick<Chunk, 'content' | 'metadata'>,
): ChunkTerms {
  const { terms, counts, length } = reader.read(searchableText(chunk));
  const dimensions = terms.slice(0, MOST_TERMS);
  const numbers = counts.slice(0, MOST_TERMS);
  for (let at = 0; at < numbers.length; at++) {
    if ((numbers[at] as number) > MOST_TIMES) numbers[at] = MOST_TIMES;
  }
  return { terms: { dimensions, numbers }, length };
}
