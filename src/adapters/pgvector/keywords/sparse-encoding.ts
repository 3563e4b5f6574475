import { TERM_SPACE } from '../../text-analysis/terms.ts';

/** Numbers by their terms. */
export type Sparse = ReadonlyMap<number, number>;

const HEADER_BYTES = 12;

/**
 * Numbers by their terms as a binary `sparsevec`, in big-endian 32 bits each: dimensions, entries,
 * an unused field, the dimensions of the entries in their order, their values.
 */
export function encodeSparse(numbers: Sparse): Buffer {
  const terms = Int32Array.from(numbers.keys()).sort();
  const encoded = Buffer.allocUnsafe(HEADER_BYTES + 8 * terms.length);
  encoded.writeInt32BE(TERM_SPACE, 0);
  encoded.writeInt32BE(terms.length, 4);
  encoded.writeInt32BE(0, 8);
  const numbersAt = HEADER_BYTES + 4 * terms.length;
  for (let entry = 0; entry < terms.length; entry++) {
    const term = terms[entry] as number;
    encoded.writeInt32BE(term, HEADER_BYTES + 4 * entry);
    encoded.writeFloatBE(numbers.get(term) as number, numbersAt + 4 * entry);
  }
  return encoded;
}

/** Calls with each term of a binary `sparsevec`, and its number. */
export function readSparse(encoded: Buffer, take: (term: number, number: number) => void): void {
  const entries = encoded.readInt32BE(4);
  const numbersAt = HEADER_BYTES + 4 * entries;
  for (let entry = 0; entry < entries; entry++) {
    take(encoded.readInt32BE(HEADER_BYTES + 4 * entry), encoded.readFloatBE(numbersAt + 4 * entry));
  }
}
