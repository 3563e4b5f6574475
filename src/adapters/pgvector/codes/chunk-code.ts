import { DIMENSIONS, rotate } from './rotation.ts';

/** Bytes of one bit of each number. */
export const PLANE_BYTES = DIMENSIONS / 8;

/** Bytes of `ChunkCode.code`: two factors, and three planes. */
export const CODE_BYTES = 8 + 3 * PLANE_BYTES;

/** How far apart the sixteen levels are to which a number is rounded, for numbers with a deviation of 1. */
const STEP = 0.3352;

/** What is kept of a chunk's rotated vector: four bits a number, in planes of one bit of every number. */
export interface ChunkCode {
  /** The plane of the highest bits, which are the signs: a bit that is set is of a number that is not below zero. */
  signs: Uint8Array;
  /** What turns a sum over the signs, each ±1/√1536, into an inner product; 0 of a vector of zeros. */
  signFactor: number;
  /**
   * Two little-endian floats: the factor that turns a sum over the levels into an inner product,
   * and β², the square of the error of that per unit of length across; then the other planes, the
   * higher one first.
   */
  code: Uint8Array;
}

/**
 * The code of a chunk's vector, from which inner products are estimated with a known error
 * (extended RaBitQ, https://arxiv.org/abs/2409.09913).
 *
 * @param vector of length 1, or all zeros
 */
export function toChunkCode(vector: ArrayLike<number>): ChunkCode {
  const rotated = rotate(vector);
  const signs = new Uint8Array(PLANE_BYTES);
  const code = Buffer.alloc(CODE_BYTES);
  const scale = Math.sqrt(DIMENSIONS) / STEP;
  let [product, squares, absolute] = [0, 0, 0];
  for (let byte = 0; byte < PLANE_BYTES; byte++) {
    let [sign, high, middle, low] = [0, 0, 0, 0];
    for (let at = 8 * byte; at < 8 * byte + 8; at++) {
      const number = rotated[at] as number;
      const level = Math.max(0, Math.min(15, Math.floor(number * scale) + 8));
      const middleOfLevel = 2 * level - 15;
      product += middleOfLevel * number;
      squares += middleOfLevel * middleOfLevel;
      absolute += Math.abs(number);
      sign = (sign << 1) | (level >> 3);
      high = (high << 1) | ((level >> 2) & 1);
      middle = (middle << 1) | ((level >> 1) & 1);
      low = (low << 1) | (level & 1);
    }
    signs[byte] = sign;
    code[8 + byte] = high;
    code[8 + PLANE_BYTES + byte] = middle;
    code[8 + 2 * PLANE_BYTES + byte] = low;
  }
  // A vector of zeros has the inner product 0 with every other, without an error.
  const isZero = product === 0;
  const factor = isZero ? 0 : 1 / product;
  code.writeFloatLE(factor, 0);
  code.writeFloatLE(isZero ? 0 : squares * factor ** 2 - 1, 4);
  return { signs, signFactor: isZero ? 0 : Math.sqrt(DIMENSIONS) / absolute, code };
}
