import type { Vector } from '../../../ports/language-model.ts';

/** A question as codes are compared with it. */
export interface CodeQuestion {
  /**
   * Two codes: the signs of the numbers, and whether each is in the upper half of those with its
   * sign. Twice the bits that differ from the first and those that differ from the second
   * estimate an inner product with two thirds of the error that signs alone have.
   */
  codes: Uint8Array;
  /** By how much a hit that was missed may seem farther than those that were found. */
  margin: number;
}

/** How far an estimate is off, in deviations, times the square root of the dimensions. */
const DEVIATION = 0.67;
/** How many deviations the margin has. With 1.5 one hit in 200 is lost in large datasets, with 2 none was. */
const DEVIATIONS = 2;

/** Cuts each number of a vector down to two bits: beyond one deviation or not, on either side of zero. */
export function toCodeQuestion(vector: Vector): CodeQuestion {
  const bytes = Math.ceil(vector.length / 8);
  const codes = new Uint8Array(2 * bytes);
  let [squares, used] = [0, 0];
  for (let at = 0; at < vector.length; at++) {
    const number = vector[at] as number;
    squares += number * number;
    if (number !== 0) used++;
  }
  const deviation = Math.sqrt(squares / Math.max(1, used));
  for (let at = 0; at < vector.length; at++) {
    const number = vector[at] as number;
    const bit = 0x80 >> (at & 7);
    const byte = at >> 3;
    const isUpper = number > 0 ? number > deviation : number > -deviation;
    if (number > 0) codes[byte] = (codes[byte] as number) | bit;
    if (isUpper) codes[bytes + byte] = (codes[bytes + byte] as number) | bit;
  }
  return { codes, margin: Math.ceil(DEVIATIONS * DEVIATION * Math.sqrt(used)) };
}
