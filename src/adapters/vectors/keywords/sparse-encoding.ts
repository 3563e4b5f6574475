import { TERM_SPACE } from '../../text-analysis/terms.ts';

/** A vector of the dimension `TERM_SPACE` whose other numbers are zero. */
export interface Sparse {
  /** In ascending order. */
  dimensions: Int32Array;
  /** One for each of them. */
  numbers: ArrayLike<number>;
}

const HEADER_BYTES = 12;

/**
 * A binary `sparsevec`, in big-endian 32 bits each: the dimension of the space, the entries, an
 * unused field, the dimensions of the entries, their numbers.
 */
export function encodeSparse({ dimensions, numbers }: Sparse): Buffer {
  const { length } = dimensions;
  // Not of the pool that small buffers share: there it might begin anywhere.
  const encoded = Buffer.allocUnsafeSlow(HEADER_BYTES + 8 * length);
  new Int32Array(encoded.buffer, 0, 3).set([TERM_SPACE, length, 0]);
  new Int32Array(encoded.buffer, HEADER_BYTES, length).set(dimensions);
  new Float32Array(encoded.buffer, HEADER_BYTES + 4 * length, length).set(numbers);
  return encoded.swap32();
}

/** Calls with each dimension of a binary `sparsevec` that has an entry, and its number. */
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
