import { createHash } from 'node:crypto';
import { DIMENSIONS } from '../../../core/embedding.ts';

/** A vector is processed in three blocks, because a block's length must be a power of two. */
const BLOCK = 512;
const ROUNDS = 3;

/**
 * The signs of the rotation that is applied to every vector (`encode.wat`). A fixed random rotation
 * keeps every cosine and makes the numbers of any vector similar in size: no number represents a
 * word, and few are zero. In each of three rounds, the numbers get random signs, the Walsh-Hadamard
 * transform mixes those of each block, and a reflection mixes the blocks. Stored codes depend on
 * the rotation, so it must never change (`rotation-1`).
 *
 * @returns for each round and number 1 or -1, divided by the factor by which the transform lengthens
 *   a block
 */
export function rotationSigns(): Float32Array {
  const scale = 1 / Math.sqrt(BLOCK);
  const bits = Array.from({ length: ROUNDS }, (_, round) => bitsOfRound(round));
  return Float32Array.from({ length: ROUNDS * DIMENSIONS }, (_, at) => {
    const [round, number] = [Math.floor(at / DIMENSIONS), at % DIMENSIONS];
    const isMinus = ((bits[round]?.[number >> 3] ?? 0) >> (7 - (number & 7))) & 1;
    return isMinus ? -scale : scale;
  });
}

function bitsOfRound(round: number): Buffer {
  return createHash('shake256', { outputLength: DIMENSIONS / 8 })
    .update(`rotation-1 round ${round}`)
    .digest();
}
