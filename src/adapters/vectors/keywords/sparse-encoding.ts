import { TERM_SPACE } from '../../text-analysis/terms.ts';
import type { ElementEncoding } from '../array-encoding.ts';

/** A vector with `TERM_SPACE` dimensions, all zero except for these. */
export interface Sparse {
  /** In ascending order. */
  dimensions: readonly number[];
  /** One for each entry of `dimensions`. */
  numbers: readonly number[];
}

const HEADER_BYTES = 12;

/**
 * The binary form of a `sparsevec`. Each field has 32 bits, big-endian: the number of dimensions, the
 * number of entries, an unused field, the dimension of each entry, and the number of each entry.
 */
export const SPARSE: Omit<ElementEncoding<Sparse>, 'oid'> = {
  sizeOf: ({ dimensions: { length } }) => HEADER_BYTES + 8 * length,
  write({ dimensions, numbers }, bytes, start) {
    let at = start;
    for (const field of [TERM_SPACE, dimensions.length, 0]) at = bytes.writeInt32BE(field, at);
    for (const dimension of dimensions) at = bytes.writeInt32BE(dimension, at);
    for (const number of numbers) at = bytes.writeFloatBE(number, at);
  },
};

/** Calls `take` for each entry of a binary `sparsevec`. */
export function readSparse(
  encoded: Buffer,
  take: (dimension: number, number: number) => void,
): void {
  const entries = encoded.readInt32BE(4);
  const numbersAt = HEADER_BYTES + 4 * entries;
  for (let entry = 0; entry < entries; entry++) {
    take(encoded.readInt32BE(HEADER_BYTES + 4 * entry), encoded.readFloatBE(numbersAt + 4 * entry));
  }
}
