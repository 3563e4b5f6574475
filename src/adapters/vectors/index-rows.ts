import { DIMENSIONS } from '../../core/embedding.ts';
import type { Chunk } from '../../core/model.ts';
import type { TermReader } from '../text-analysis/terms.ts';
import { BITS, BYTES, encodeArray } from './array-encoding.ts';
import { toChunkCode } from './codes/chunk-code.ts';
import type { DatasetFilter } from './dataset-filter.ts';
import { createTokenizer, type Token } from './filter-tokens.ts';
import { termsOf } from './keywords/chunk-terms.ts';
import type { VectorEncoding } from './vector-encoding.ts';

/** The data from which a row of `chunk_index` is derived. */
export interface Indexable extends Pick<Chunk, 'content' | 'metadata'> {
  /** Of length 1, or all zeros. */
  vector: ArrayLike<number>;
  tokens: Token[];
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
      chunks.map(({ tokens }) => packTokens(tokens)),
      BYTES,
    ),
    terms.map(({ length }) => length),
    encoding.sparse(terms.map(({ terms }) => terms)),
  ];
}

/** The packed tokens for the values that a query's filter demands. */
export function tokensOfFilter({ datasetKey, filter }: DatasetFilter): Buffer {
  return packTokens(createTokenizer(datasetKey)(filter.values));
}

/**
 * Packs the lower 32 bits of each token, which are enough to find the chunks that may pass a
 * filter.
 */
function packTokens(tokens: Token[]): Buffer {
  const packed = Buffer.allocUnsafe(4 * tokens.length);
  tokens.forEach((token, at) => {
    packed.writeUInt32LE(Number(BigInt.asUintN(32, token)), 4 * at);
  });
  return packed;
}
