import { createHash } from 'node:crypto';
import { DIMENSIONS } from '../../../core/embedding.ts';

/** A vector is three blocks, each as long as a power of two. */
const BLOCK = 512;
const ROUNDS = [0, 1, 2].map(signsOfRound);
/** Where the rotated numbers are until the next call. */
const turned = new Float64Array(DIMENSIONS);

/**
 * Turns a vector by a fixed random rotation, which keeps every cosine and makes the numbers of any
 * vector alike in size: no number stands for a word, and few are zero. Stored codes depend on it:
 * it stays as it is for ever (`rotation-1`).
 *
 * @returns the rotated numbers, which the next call overwrites
 */
export function rotate(vector: ArrayLike<number>): Float64Array {
  for (let at = 0; at < DIMENSIONS; at++) turned[at] = vector[at] as number;
  for (const signs of ROUNDS) {
    for (let at = 0; at < DIMENSIONS; at++) {
      turned[at] = (turned[at] as number) * (signs[at] as number);
    }
    for (let step = 1; step < BLOCK; step *= 8) {
      for (let start = 0; start < DIMENSIONS; start += 8 * step) {
        for (let at = start; at < start + step; at++) butterfly(at, step);
      }
    }
    mixBlocks();
  }
  return turned;
}

/** 1 or -1 for each number, divided by what the Walsh-Hadamard transform of a block lengthens it by. */
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

/** The Walsh-Hadamard transform of eight numbers, a step apart; three rounds of it are that of 512. */
function butterfly(at: number, step: number): void {
  const a = turned[at] as number;
  const b = turned[at + step] as number;
  const c = turned[at + 2 * step] as number;
  const d = turned[at + 3 * step] as number;
  const e = turned[at + 4 * step] as number;
  const f = turned[at + 5 * step] as number;
  const g = turned[at + 6 * step] as number;
  const h = turned[at + 7 * step] as number;
  // A capital letter is subtracted.
  const abcd = a + b + (c + d);
  const abCD = a + b - (c + d);
  const aBcD = a - b + (c - d);
  const aBCd = a - b - (c - d);
  const efgh = e + f + (g + h);
  const efGH = e + f - (g + h);
  const eFgH = e - f + (g - h);
  const eFGh = e - f - (g - h);
  turned[at] = abcd + efgh;
  turned[at + step] = aBcD + eFgH;
  turned[at + 2 * step] = abCD + efGH;
  turned[at + 3 * step] = aBCd + eFGh;
  turned[at + 4 * step] = abcd - efgh;
  turned[at + 5 * step] = aBcD - eFgH;
  turned[at + 6 * step] = abCD - efGH;
  turned[at + 7 * step] = aBCd - eFGh;
}

/** Spreads what is in one block over all three: a reflection, which is orthogonal. */
function mixBlocks(): void {
  for (let at = 0; at < BLOCK; at++) {
    const a = turned[at] as number;
    const b = turned[at + BLOCK] as number;
    const c = turned[at + 2 * BLOCK] as number;
    const shift = (2 / 3) * (a + b + c);
    turned[at] = a - shift;
    turned[at + BLOCK] = b - shift;
    turned[at + 2 * BLOCK] = c - shift;
  }
}
