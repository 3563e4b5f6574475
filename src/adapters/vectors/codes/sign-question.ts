import { DIMENSIONS } from '../../../core/embedding.ts';
import { PLANE_BYTES } from './chunk-code.ts';
import { rotate } from './rotation.ts';

/**
 * A question as the database compares it with the signs of chunks: each rotated number is -3, -1,
 * 1 or 3, which is twice the sign of the first plane and once that of the second.
 */
export interface SignQuestion {
  planes: [Uint8Array, Uint8Array];
  /** What a sum over signs is multiplied with, beside the chunk's factor, to be an inner product. */
  scale: number;
  /** γ², the square of the rounding's error per unit of length across. */
  error: number;
}

/**
 * @param vector of length 1, or all zeros
 * @returns nothing of a vector of zeros, which has no direction
 */
export function toSignQuestion(vector: ArrayLike<number>): SignQuestion | undefined {
  const rotated = rotate(vector);
  const planes: SignQuestion['planes'] = [new Uint8Array(PLANE_BYTES), new Uint8Array(PLANE_BYTES)];
  // Of a vector of length 1; numbers farther from zero than this are rounded to -3 or 3.
  const deviation = 1 / Math.sqrt(DIMENSIONS);
  let [squares, product] = [0, 0];
  for (let at = 0; at < DIMENSIONS; at++) {
    const number = rotated[at] as number;
    const isPositive = number >= 0;
    const isFar = Math.abs(number) > deviation;
    const bit = 0x80 >> (at & 7);
    const byte = at >> 3;
    if (isPositive) planes[0][byte] = (planes[0][byte] as number) | bit;
    if (isPositive === isFar) planes[1][byte] = (planes[1][byte] as number) | bit;
    squares += isFar ? 9 : 1;
    product += Math.abs(number) * (isFar ? 3 : 1);
  }
  if (product === 0) return undefined;
  return {
    planes,
    scale: 1 / (Math.sqrt(DIMENSIONS) * product),
    error: squares / product ** 2 - 1,
  };
}

/** The square of the error of a chunk's signs, per unit of length across. */
export function errorOfSigns(signFactor: number): number {
  return Math.max(0, signFactor ** 2 - 1);
}
