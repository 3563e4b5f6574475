import { DIMENSIONS } from '../../../core/embedding.ts';
import { rotate } from './rotation.ts';

/**
 * The number of bits for each number, and the size of a plane (one bit of every number) in bytes.
 */
export const PLANES = 4;
export const PLANE_BYTES = DIMENSIONS / 8;

/** The bytes of `ChunkCode.code` that precede its planes. */
export const FACTOR_BYTES = 16;

/** The distance between the sixteen levels of a rounded number, for a standard deviation of 1. */
const STEP = 0.3352;

/**
 * The stored code of a chunk's rotated vector: a level from 0 to 15 for each number. The levels are
 * stored as bit planes, with the first number in the highest bit of the first byte.
 */
export interface ChunkCode {
  /** The plane of the highest bits: whether a number is not below zero. */
  signs: Uint8Array;
  /** Converts a sum over the signs, each ±1/√1536, to an inner product; 0 for a vector of zeros. */
  signFactor: number;
  /**
   * Four little-endian floats: the `Rounding` of the levels, and that of their two upper bits. Then
   * the other three planes, highest bits first.
   */
  code: Uint8Array;
}

/** The factor and the error of rounded numbers. */
export interface Rounding {
  /** Converts a sum over them to an inner product; 0 for a vector of zeros. */
  factor: number;
  /** β²: the squared error of that inner product, per unit of orthogonal length. */
  error: number;
}

/**
 * Encodes a chunk's vector, so that inner products can be estimated with a known error (extended
 * RaBitQ, https://arxiv.org/abs/2409.09913).
 *
 * @param vector of length 1, or all zeros
 */
export function toChunkCode(vector: ArrayLike<number>): ChunkCode {
  const rotated = rotate(vector);
  const signs = new Uint8Array(PLANE_BYTES);
  const code = Buffer.alloc(FACTOR_BYTES + 3 * PLANE_BYTES);
  const scale = Math.sqrt(DIMENSIONS) / STEP;
  let [product, squares, upperProduct, upperSquares, absolute] = [0, 0, 0, 0, 0];
  for (let byte = 0; byte < PLANE_BYTES; byte++) {
    let [sign, high, middle, low] = [0, 0, 0, 0];
    for (let at = 8 * byte; at < 8 * byte + 8; at++) {
      const number = rotated[at] as number;
      const level = Math.max(0, Math.min(15, Math.floor(number * scale) + 8));
      const rounded = 2 * level - 15;
      product += rounded * number;
      squares += rounded * rounded;
      const upper = 2 * (level >> 2) - 3;
      upperProduct += upper * number;
      upperSquares += upper * upper;
      absolute += Math.abs(number);
      sign = (sign << 1) | (level >> 3);
      high = (high << 1) | ((level >> 2) & 1);
      middle = (middle << 1) | ((level >> 1) & 1);
      low = (low << 1) | (level & 1);
    }
    signs[byte] = sign;
    code[FACTOR_BYTES + byte] = high;
    code[FACTOR_BYTES + PLANE_BYTES + byte] = middle;
    code[FACTOR_BYTES + 2 * PLANE_BYTES + byte] = low;
  }
  const roundings = [roundingOf(product, squares), roundingOf(upperProduct, upperSquares)];
  roundings.forEach(({ factor, error }, at) => {
    code.writeFloatLE(factor, 8 * at);
    code.writeFloatLE(error, 8 * at + 4);
  });
  return { signs, signFactor: absolute === 0 ? 0 : Math.sqrt(DIMENSIONS) / absolute, code };
}

/** For a vector of zeros, every inner product is 0 and has no error. */
function roundingOf(product: number, squares: number): Rounding {
  if (product === 0) return { factor: 0, error: 0 };
  return { factor: 1 / product, error: squares / product ** 2 - 1 };
}
