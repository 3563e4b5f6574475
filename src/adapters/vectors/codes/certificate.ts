import { DIMENSIONS } from '../../../core/embedding.ts';

/**
 * The error bound in standard deviations. With 4.5, none of 72,000 hits were lost; with 3, 2 of
 * 153,000.
 */
const DEVIATIONS = 4.5;

/**
 * The largest change of the inner product of two vectors of length 1 when both are rounded to half
 * floats.
 */
const ROUNDING = 2 ** -10;

/**
 * The error bound of an estimate. A chunk whose estimate is below the score of a hit by more than
 * this is not as near as the hit.
 *
 * @param score the true score of the hit
 * @param chunk β²: the squared error of the chunk's code, per unit of orthogonal length
 * @param question γ²: the same for the question's code
 */
export function marginOf(score: number, chunk: number, question: number): number {
  const across = Math.max(0, 1 - score ** 2);
  const variance = (across * (chunk + question) + chunk * question) / DIMENSIONS;
  return DEVIATIONS * Math.sqrt(variance) + ROUNDING;
}
