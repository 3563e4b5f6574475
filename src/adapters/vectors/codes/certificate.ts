import { DIMENSIONS } from '../../../core/embedding.ts';

/** Of the normal distribution of an estimate's error: 4.5 lost none of 72,000 hits, 3 lost 2 of 153,000. */
const DEVIATIONS = 4.5;

/** Rounding the numbers of two vectors of length 1 to half floats moves their inner product by no more. */
const ROUNDING = 2 ** -10;

/**
 * How much higher than its estimate the score of a chunk may be that is as near as a hit: chunks
 * whose estimate is farther below the hit's score are no hits.
 *
 * @param score the true score of the hit
 * @param chunk the square of the error of the chunk's code, per unit of length across
 * @param question the same of the question's
 */
export function marginOf(score: number, chunk: number, question: number): number {
  const across = Math.max(0, 1 - score ** 2);
  const variance = (across * (chunk + question) + chunk * question) / DIMENSIONS;
  return DEVIATIONS * Math.sqrt(variance) + ROUNDING;
}
