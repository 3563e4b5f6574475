import { DIMENSIONS } from '../../../core/embedding.ts';
import { rotate } from './encode-kernel.ts';

/**
 * The form of a question that is compared with codes: its rotated numbers, each rounded to a signed
 * byte.
 */
export interface CodeQuestion {
  /** One per dimension, in the order in which the kernel reads them. */
  numbers: Int8Array;
  sum: number;
  /**
   * Together with the chunk's factor, converts a sum over products with the chunk's rounded numbers
   * to an inner product.
   */
  factor: number;
  /** γ²: the squared error of the rounding, per unit of orthogonal length. */
  error: number;
}

/**
 * How many bytes of a plane the kernel reads at once, and how many numbers belong to their bits.
 */
const BLOCK_BYTES = 16;
const BLOCK = 8 * BLOCK_BYTES;

/**
 * @param vector of length 1, or all zeros
 * @returns nothing for a vector of zeros, which has no direction
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
    // The first of eight numbers belongs to the highest bit of a byte.
    const [place, bit] = [at % BLOCK, 7 - (at % 8)];
    numbers[at - place + bit * BLOCK_BYTES + (place >> 3)] = rounded;
  }
  return { numbers, sum, factor: 1 / product, error: squares / product ** 2 - 1 };
}
