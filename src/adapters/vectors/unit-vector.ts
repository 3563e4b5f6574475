import { DIMENSIONS } from '../../core/embedding.ts';
import type { Vector } from '../../ports/language-model.ts';

/** How far the square of a length may be from 1 because of the rounding of floats. */
const ROUNDING = 1e-6;

/**
 * A vector of length 1 in the same direction, so that the inner product is the cosine. A vector of zeros is
 * not changed, and one that already has length 1 is not copied.
 *
 * @throws Error when the vector does not have `DIMENSIONS` finite numbers
 */
export function toUnitVector(vector: number[] | Vector): Vector {
  const { length } = vector;
  if (length !== DIMENSIONS) {
    throw new Error(`A vector has ${length} dimensions; the datasets have ${DIMENSIONS}.`);
  }
  // Loops by index: on typed arrays they are ten times as fast as iterators and callbacks.
  let squares = 0;
  for (let at = 0; at < length; at++) squares += (vector[at] as number) ** 2;
  if (!Number.isFinite(squares)) throw new Error('A vector has numbers that are not finite.');
  const isUnit = squares === 0 || Math.abs(squares - 1) < ROUNDING;
  if (isUnit && vector instanceof Float32Array) return vector;
  const scale = isUnit ? 1 : 1 / Math.sqrt(squares);
  const unit = new Float32Array(length);
  for (let at = 0; at < length; at++) unit[at] = (vector[at] as number) * scale;
  return unit;
}
