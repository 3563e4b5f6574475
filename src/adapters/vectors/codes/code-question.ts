import { DIMENSIONS } from '../../../core/embedding.ts';
import { rotate } from './encode-kernel.ts';

/**
 * The form of a question that is compared with codes: its rotated numbers, each rounded to a signed
 * byte.
 */
export interface CodeQuestion {
  /** One per dimension, in the order in which the kernel reads them. */
  numbers: Int8Array;
  /**
   * For each half byte of a plane, lower half first: the sum of the numbers whose bit is set, for
   * each value of the half byte, counted from the lowest of these sums.
   */
  table: Uint8Array;
  /** What sums from the table are counted from: the sum of the negative numbers. */
  tableOffset: number;
  /** The sum of all numbers. */
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

/** The numbers that belong to half a byte, and the number of its values. */
const HALF = 4;
const HALF_VALUES = 2 ** HALF;

/** The highest entry of the table: two of them fit into a byte. */
const HIGHEST_ENTRY = 127;

/**
 * @param vector of length 1, or all zeros
 * @returns nothing for a vector of zeros, which has no direction
 */
export function toCodeQuestion(vector: ArrayLike<number>): CodeQuestion | undefined {
  const rotated = rotate(vector);
  const scale = scaleFor(rotated);
  if (scale === Number.POSITIVE_INFINITY) return undefined;
  const inOrder = new Int8Array(DIMENSIONS);
  const numbers = new Int8Array(DIMENSIONS);
  let [sum, tableOffset, squares, product] = [0, 0, 0, 0];
  for (let at = 0; at < DIMENSIONS; at++) {
    const number = rotated[at] as number;
    const rounded = Math.round(scale * number);
    sum += rounded;
    tableOffset += Math.min(0, rounded);
    squares += rounded * rounded;
    product += rounded * number;
    numbers[kernelIndexOf(at)] = rounded;
    inOrder[at] = rounded;
  }
  const table = toTable(inOrder);
  return {
    numbers,
    table,
    tableOffset,
    sum,
    factor: 1 / product,
    error: squares / product ** 2 - 1,
  };
}

/**
 * The index at which the kernel reads the number of a dimension: in each block, the numbers of all
 * bytes for one bit, from the lowest bit. The first of eight numbers belongs to the highest bit of a byte.
 */
function kernelIndexOf(dimension: number): number {
  const inBlock = dimension % BLOCK;
  return dimension - inBlock + (7 - (dimension % 8)) * BLOCK_BYTES + (inBlock >> 3);
}

/** The largest scale at which no entry of the table is too high, even if all numbers are rounded up. */
function scaleFor(rotated: ArrayLike<number>): number {
  let largest = 0;
  for (let at = 0; at < DIMENSIONS; at += HALF) {
    let sum = 0;
    for (let bit = 0; bit < HALF; bit++) sum += Math.abs(rotated[at + bit] as number);
    largest = Math.max(largest, sum);
  }
  return (HIGHEST_ENTRY - HALF / 2) / largest;
}

function toTable(numbers: Int8Array): Uint8Array {
  const table = new Uint8Array((DIMENSIONS / HALF) * HALF_VALUES);
  for (let half = 0; half < DIMENSIONS / HALF; half++) {
    const from = HALF_VALUES * half;
    // The numbers of the upper half come first, and the first one belongs to the highest bit.
    const last = HALF * (half ^ 1) + HALF - 1;
    let lowest = 0;
    for (let bit = 0; bit < HALF; bit++) lowest += Math.min(0, numbers[last - bit] as number);
    table[from] = -lowest;
    for (let bit = 0; bit < HALF; bit++) {
      const values = 1 << bit;
      for (let value = from; value < from + values; value++) {
        table[value + values] = (table[value] as number) + (numbers[last - bit] as number);
      }
    }
  }
  return table;
}
