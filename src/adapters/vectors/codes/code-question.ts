import { DIMENSIONS } from '../../../core/embedding.ts';
import { rotate } from './rotation.ts';

/** A question as chunks' codes are compared with it: its rotated numbers, each rounded to a byte. */
export interface CodeQuestion {
  /** In the order in which the kernel reads them. */
  numbers: Int8Array;
  sum: number;
  /** What a sum over the products with a chunk's rounded numbers is multiplied with, beside the chunk's factor. */
  factor: number;
  /** γ², the square of the rounding's error per unit of length across. */
  error: number;
}

/** Bytes of a plane that the kernel reads at once, and the numbers that meet their bits. */
const BLOCK_BYTES = 16;
const BLOCK = 8 * BLOCK_BYTES;

/**
 * @param vector of length 1, or all zeros
 * @returns nothing of a vector of zeros, which has no direction
 */
export function toCodeQuestion(vector: ArrayLike<number>): CodeQuestion | undefined {
  const rotated = rotate(vector);
  let largest = 0;
  for (let at = 0; at < DIMENSIONS; at++) {
    largest = Math.max(largest, Math.abs(rotated[at] as number));
  }
  if (largest === 0) return undefined;
  const numbers = new Int8Array(DIMENSIONS);
  let [sum, squares, product] = [0, 0, 0];
  for (let at = 0; at < DIMENSIONS; at++) {
    const number = rotated[at] as number;
    const rounded = Math.round((127 * number) / largest);
    sum += rounded;
    squares += rounded * rounded;
    product += rounded * number;
    // The first number of eight meets the highest bit of a byte.
    const [place, bit] = [at % BLOCK, 7 - (at % 8)];
    numbers[at - place + bit * BLOCK_BYTES + (place >> 3)] = rounded;
  }
  return { numbers, sum, factor: 1 / product, error: squares / product ** 2 - 1 };
}
