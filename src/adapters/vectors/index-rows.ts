import { DIMENSIONS } from '../../core/embedding.ts';
import type { Chunk } from '../../core/model.ts';
import type { TermReader } from '../text-analysis/terms.ts';
import { BITS, BYTES, encodeArray } from './array-encoding.ts';
import { toChunkCode } from './codes/chunk-code.ts';
import type { DatasetFilter } from './dataset-filter.ts';
import { createFilterHasher, type FilterHash } from './filter-hashes.ts';
import { termsOf } from './keywords/chunk-terms.ts';
import type { VectorEncoding } from './vector-encoding.ts';

/** The data from which a row of `chunk_index` is derived. */
export interface Indexable extends Pick<Chunk, 'content' | 'metadata'> {
  /** Of length 1, or all zeros. */
  vector: ArrayLike<number>;
  filterHashes: FilterHash[];
}

/** The columns of `chunk_index` that are derived from a chunk. */
export const INDEX_COLUMNS = ['sign_factor', 'signs', 'code', 'tokens', 'length', 'terms'].join(
  ', ',
);

/**
 * The SQL types of the parameters from `toIndexParameters`: an array for each column, for `unnest`.
 */
export const INDEX_TYPES = [
  'real[]',
  `bit(${DIMENSIONS})[]`,
  'bytea[]',
  'bytea[]',
  'int[]',
  'sparsevec[]',
];

/** The parts needed to create index rows. */
export interface IndexParts {
  encoding: VectorEncoding;
  reader: TermReader;
}

/** The parameters for index rows: one array for each of `INDEX_COLUMNS`. */
export function toIndexParameters(
  chunks: Indexable[],
  { encoding, reader }: IndexParts,
): unknown[] {
  const codes = chunks.map(({ vector }) => toChunkCode(vector));
  const terms = chunks.map((chunk) => termsOf(reader, chunk));
  return [
    codes.map(({ signFactor }) => signFactor),
    encodeArray(
      codes.map(({ signs }) => signs),
      BITS,
    ),
    encodeArray(
      codes.map(({ code }) => code),
      BYTES,
    ),
    encodeArray(
      chunks.map(({ filterHashes }) => packHashes(filterHashes)),
      BYTES,
    ),
    terms.map(({ length }) => length),
    encoding.sparse(terms.map(({ terms }) => terms)),
  ];
}

/** The packed hashes of the values that a query's filter demands. */
export function hashesOfFilter({ datasetKey, filter }: DatasetFilter): Buffer {
  return packHashes(createFilterHasher(datasetKey)(filter.values));
}

/**
 * Packs the lower 32 bits of each hash, which are enough to find the chunks that may pass a
 * filter.
 */
function packHashes(hashes: FilterHash[]): Buffer {
  const packed = Buffer.allocUnsafe(4 * hashes.length);
  hashes.forEach((hash, at) => {
    packed.writeUInt32LE(Number(BigInt.asUintN(32, hash)), 4 * at);
  });
  return packed;
}
