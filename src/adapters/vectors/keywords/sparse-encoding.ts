import { TERM_SPACE } from '../../text-analysis/terms.ts';

/** A vector with `TERM_SPACE` dimensions, all zero except for these. */
export interface Sparse {
  /** In ascending order. */
  dimensions: Int32Array;
  /** One for each entry of `dimensions`. */
  numbers: ArrayLike<number>;
}

const HEADER_BYTES = 12;

/**
 * Encodes a binary `sparsevec`. Each field has 32 bits, big-endian: the number of dimensions, the
 * number of entries, an unused field, the dimension of each entry, and the number of each entry.
 */
export function encodeSparse({ dimensions, numbers }: Sparse): Buffer {
  const { length } = dimensions;
  // Not from the shared pool of small buffers, where it might not be aligned.
  const encoded = Buffer.allocUnsafeSlow(HEADER_BYTES + 8 * length);
  new Int32Array(encoded.buffer, 0, 3).set([TERM_SPACE, length, 0]);
  new Int32Array(encoded.buffer, HEADER_BYTES, length).set(dimensions);
  new Float32Array(encoded.buffer, HEADER_BYTES + 4 * length, length).set(numbers);
  return encoded.swap32();
}

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
