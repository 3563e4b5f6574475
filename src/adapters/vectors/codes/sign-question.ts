import { DIMENSIONS } from '../../../core/embedding.ts';
import { PLANE_BYTES, rotate } from './encode-kernel.ts';

/**
 * The form of a question that the database compares with the signs of chunks. Each rotated number
 * is rounded to -3, -1, 1 or 3: twice the sign in the first plane plus the sign in the second.
 */
export interface SignQuestion {
  planes: [Uint8Array, Uint8Array];
  /** Together with the chunk's factor, converts a sum over signs to an inner product. */
  scale: number;
  /** γ²: the squared error of the rounding, per unit of orthogonal length. */
  error: number;
}

/**
 * @param vector of length 1, or all zeros
 * @returns nothing for a vector of zeros, which has no direction
 */
export function toSignQuestion(vector: ArrayLike<number>): SignQuestion | undefined {
  const rotated = rotate(vector);
  const planes: SignQuestion['planes'] = [new Uint8Array(PLANE_BYTES), new Uint8Array(PLANE_BYTES)];
  // The standard deviation for a vector of length 1. Numbers beyond it are rounded to -3 or 3.
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

/** β² for the signs of a chunk: their squared error, per unit of orthogonal length. */
export function errorOfSigns(signFactor: number): number {
  return Math.max(0, signFactor ** 2 - 1);
}
