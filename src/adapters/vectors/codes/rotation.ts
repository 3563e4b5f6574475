import { createHash } from 'node:crypto';
import { DIMENSIONS } from '../../../core/embedding.ts';

/** A vector is processed in three blocks, because a block's length must be a power of two. */
const BLOCK = 512;
const ROUNDS = [0, 1, 2].map(signsOfRound);
/** The rotated numbers, until the next call. */
const rotated = new Float64Array(DIMENSIONS);

/**
 * Applies a fixed random rotation to a vector. It keeps every cosine and makes the numbers of any
 * vector similar in size: no number represents a word, and few are zero. Stored codes depend on the
 * rotation, so it must never change (`rotation-1`).
 *
 * @returns the rotated numbers, which the next call overwrites
 */
export function rotate(vector: ArrayLike<number>): Float64Array {
  for (let at = 0; at < DIMENSIONS; at++) rotated[at] = vector[at] as number;
  for (const signs of ROUNDS) {
    for (let at = 0; at < DIMENSIONS; at++) {
      rotated[at] = (rotated[at] as number) * (signs[at] as number);
    }
    for (let step = 1; step < BLOCK; step *= 8) {
      for (let start = 0; start < DIMENSIONS; start += 8 * step) {
        for (let at = start; at < start + step; at++) butterfly(at, step);
      }
    }
    mixBlocks();
  }
  return rotated;
}

/**
 * 1 or -1 for each number, divided by the factor by which the Walsh-Hadamard transform lengthens a
 * block.
 */
function signsOfRound(round: number): Float64Array {
  const bits = createHash('shake256', { outputLength: DIMENSIONS / 8 })
    .update(`rotation-1 round ${round}`)
    .digest();
  const scale = 1 / Math.sqrt(BLOCK);
  return Float64Array.from({ length: DIMENSIONS }, (_, at) => {
    const isMinus = ((bits[at >> 3] as number) >> (7 - (at & 7))) & 1;
    return isMinus ? -scale : scale;
  });
}

/**
 * The Walsh-Hadamard transform of eight numbers that are `step` apart. Three passes transform a
 * block of 512.
 */
function butterfly(at: number, step: number): void {
  const a = rotated[at] as number;
  const b = rotated[at + step] as number;
  const c = rotated[at + 2 * step] as number;
  const d = rotated[at + 3 * step] as number;
  const e = rotated[at + 4 * step] as number;
  const f = rotated[at + 5 * step] as number;
  const g = rotated[at + 6 * step] as number;
  const h = rotated[at + 7 * step] as number;
  // Capital letters mark numbers that are subtracted.
  const abcd = a + b + (c + d);
  const abCD = a + b - (c + d);
  const aBcD = a - b + (c - d);
  const aBCd = a - b - (c - d);
  const efgh = e + f + (g + h);
  const efGH = e + f - (g + h);
  const eFgH = e - f + (g - h);
  const eFGh = e - f - (g - h);
  rotated[at] = abcd + efgh;
  rotated[at + step] = aBcD + eFgH;
  rotated[at + 2 * step] = abCD + efGH;
  rotated[at + 3 * step] = aBCd + eFGh;
  rotated[at + 4 * step] = abcd - efgh;
  rotated[at + 5 * step] = aBcD - eFgH;
  rotated[at + 6 * step] = abCD - efGH;
  rotated[at + 7 * step] = aBCd - eFGh;
}

/** Distributes each block over all three, by a reflection, which is orthogonal. */
function mixBlocks(): void {
  for (let at = 0; at < BLOCK; at++) {
    const a = rotated[at] as number;
    const b = rotated[at + BLOCK] as number;
    const c = rotated[at + 2 * BLOCK] as number;
    const shift = (2 / 3) * (a + b + c);
    rotated[at] = a - shift;
    rotated[at + BLOCK] = b - shift;
    rotated[at + 2 * BLOCK] = c - shift;
  }
}
