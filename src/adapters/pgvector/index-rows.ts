import { toChunkCode } from './codes/chunk-code.ts';
import { createTokenizer, type Token } from './filter-tokens.ts';
import type { NearestQuery } from './statements.ts';
import { encodeBitsArray, encodeBytesArray } from './vector-encoding.ts';

/** What rows of `chunk_index` are made of. */
export interface Indexable {
  /** Of length 1, or all zeros. */
  vector: ArrayLike<number>;
  tokens: Token[];
}

/** The columns of `chunk_index` that are derived from a chunk. */
export const INDEX_COLUMNS = ['sign_factor', 'signs', 'code', 'tokens'].join(', ');

/** The types of the parameters of `toIndexParameters`, to be unnested, each a list of one column. */
export const INDEX_TYPES = ['real[]', 'bit(1536)[]', 'bytea[]', 'bytea[]'];

/** One list for each of `INDEX_COLUMNS`. */
export function toIndexParameters(chunks: Indexable[]): unknown[] {
  const codes = chunks.map(({ vector }) => toChunkCode(vector));
  return [
    codes.map(({ signFactor }) => signFactor),
    encodeBitsArray(codes.map(({ signs }) => signs)),
    encodeBytesArray(codes.map(({ code }) => code)),
    encodeBytesArray(chunks.map(({ tokens }) => packTokens(tokens))),
  ];
}

/** The packed tokens of all that a chunk must have to pass a query's filter. */
export function tokensOfFilter({ datasetKey, filter }: NearestQuery): Buffer {
  return packTokens(createTokenizer(datasetKey)(filter));
}

/** The lower 32 bits of each token: enough to tell which chunks may pass a filter. */
function packTokens(tokens: Token[]): Buffer {
  const packed = Buffer.alloc(4 * tokens.length);
  tokens.forEach((token, at) => {
    packed.writeUInt32LE(Number(BigInt.asUintN(32, token)), 4 * at);
  });
  return packed;
}
