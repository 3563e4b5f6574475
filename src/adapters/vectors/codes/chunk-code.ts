import { DIMENSIONS } from '../../../core/embedding.ts';
import { PLANE_BYTES, PLANES, toLevels } from './encode-kernel.ts';

/** The size of `ChunkCode.code` in bytes, and that of its part before the planes. */
const FACTOR_BYTES = 16;
export const CODE_BYTES = FACTOR_BYTES + (PLANES - 1) * PLANE_BYTES;

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
interface Rounding {
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
  const { planes, product, squares, upperProduct, upperSquares, absolute } = toLevels(vector);
  const bytes = Buffer.allocUnsafe(PLANE_BYTES + CODE_BYTES);
  const [signs, code] = [bytes.subarray(0, PLANE_BYTES), bytes.subarray(PLANE_BYTES)];
  const roundings = [roundingOf(product, squares), roundingOf(upperProduct, upperSquares)];
  roundings.forEach(({ factor, error }, at) => {
    code.writeFloatLE(factor, 8 * at);
    code.writeFloatLE(error, 8 * at + 4);
  });
  signs.set(planes.subarray(0, PLANE_BYTES));
  code.set(planes.subarray(PLANE_BYTES), FACTOR_BYTES);
  return {
    signs,
    signFactor: absolute === 0 ? 0 : Math.sqrt(DIMENSIONS) / absolute,
    code,
  };
}

/** For a vector of zeros, every inner product is 0 and has no error. */
function roundingOf(product: number, squares: number): Rounding {
  if (product === 0) return { factor: 0, error: 0 };
  return { factor: 1 / product, error: squares / product ** 2 - 1 };
}
