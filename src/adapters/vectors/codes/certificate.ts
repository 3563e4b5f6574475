import { DIMENSIONS } from '../../../core/embedding.ts';

/** Standard deviations of the error of an estimate. With 4.5, none of 72,000 hits were lost; with 3, 2 of 153,000. */
const DEVIATIONS = 4.5;

/** Rounding the numbers of two vectors of length 1 to half floats moves their inner product by no more. */
const ROUNDING = 2 ** -10;

/**
 * The error bound of an estimate: a chunk whose estimate is farther than this below the score of a
 * hit is not as near as the hit.
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
