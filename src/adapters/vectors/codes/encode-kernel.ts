import { readFileSync } from 'node:fs';
import { DIMENSIONS } from '../../../core/embedding.ts';
import { rotationSigns } from './rotation.ts';

/**
 * The number of bits for each number, and the size of a plane (one bit of every number) in bytes.
 */
export const PLANES = 4;
export const PLANE_BYTES = DIMENSIONS / 8;

/** The distance between the sixteen levels of a rounded number, for a standard deviation of 1. */
const STEP = 0.3352;

/** A rotated vector, rounded to a level from 0 to 15 for each number. */
export interface Levels {
  /**
   * The levels as bit planes, highest bits first, with the first number in the highest bit of the
   * first byte. The next call overwrites them.
   */
  planes: Uint8Array;
  /** Over the rounded numbers and the numbers. A rounded number is an odd number from -15 to 15. */
  product: number;
  squares: number;
  /** The same for the two upper bits of the levels, which stand for -3, -1, 1 and 3. */
  upperProduct: number;
  upperSquares: number;
  /** The sum of the absolute numbers. */
  absolute: number;
}

const module = new WebAssembly.Module(readFileSync(new URL('encode.wasm', import.meta.url)));
const { memory, ...kernel } = new WebAssembly.Instance(module).exports as {
  memory: WebAssembly.Memory;
  rotate(): void;
  round(scale: number): void;
};
/* The layout of the memory is that of `encode.wat`. */
const numbers = new Float32Array(memory.buffer, 0, DIMENSIONS);
const signs = rotationSigns();
new Float32Array(memory.buffer, numbers.byteLength, signs.length).set(signs);
const planes = new Uint8Array(memory.buffer, 24_576, PLANES * PLANE_BYTES);
const sums = new Float32Array(memory.buffer, 25_344, 20);

/**
 * Applies a fixed random rotation to a vector.
 *
 * @returns the rotated numbers, which the next call overwrites
 */
export function rotate(vector: ArrayLike<number>): Float32Array {
  numbers.set(vector);
  kernel.rotate();
  return numbers;
}

/** @param vector of length 1, or all zeros */
export function toLevels(vector: ArrayLike<number>): Levels {
  rotate(vector);
  kernel.round(Math.sqrt(DIMENSIONS) / STEP);
  return {
    planes,
    product: sumAt(0),
    squares: sumAt(4),
    upperProduct: sumAt(8),
    upperSquares: sumAt(12),
    absolute: sumAt(16),
  };
}

function sumAt(at: number): number {
  let sum = 0;
  for (let part = at; part < at + 4; part++) sum += sums[part] as number;
  return sum;
}
