import { DIMENSIONS, rotate } from './rotation.ts';

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

/** Numbers that meet a block of 16 bytes, four of a chunk's numbers in each byte. */
const BLOCK = 64;

/**
 * @param vector of length 1, or all zeros
 * @returns nothing of a vector of zeros, which has no direction
 */
export function toCodeQuestion(vector: ArrayLike<number>): CodeQuestion | undefined {
  const rotated = rotate(vector);
  const largest = rotated.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (largest === 0) return undefined;
  const numbers = new Int8Array(DIMENSIONS);
  let [sum, squares, product] = [0, 0, 0];
  for (let at = 0; at < DIMENSIONS; at++) {
    const number = rotated[at] as number;
    const rounded = Math.round((127 * number) / largest);
    sum += rounded;
    squares += rounded * rounded;
    product += rounded * number;
    const place = at % BLOCK;
    numbers[at - place + (place % 4) * (BLOCK / 4) + (place >> 2)] = rounded;
  }
  return { numbers, sum, factor: 1 / product, error: squares / product ** 2 - 1 };
}
