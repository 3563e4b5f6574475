import { hash } from 'node:crypto';
import type { FilterValue } from '../../core/filter.ts';

/**
 * A 64-bit hash of a dataset, a metadata key and a value. The chunks with a token are those that
 * match the filter, except for collisions.
 */
export type Token = bigint;

/**
 * Creates the tokens for one dataset. It caches them, because the chunks of a file share most of
 * them.
 */
export function createTokenizer(datasetKey: number) {
  const known = new Map<string, Map<FilterValue, Token>>();

  /** The tokens for all entries of the metadata that a filter can match. */
  return function tokensOf(metadata: Record<string, unknown>): Token[] {
    const tokens: Token[] = [];
    for (const key of Object.keys(metadata)) {
      const value = metadata[key];
      if (isScalar(value)) tokens.push(tokenOf(key, value));
    }
    return tokens;
  };

  function tokenOf(key: string, value: FilterValue): Token {
    const ofKey = known.get(key) ?? new Map<FilterValue, Token>();
    const token = ofKey.get(value) ?? newToken(datasetKey, key, value);
    known.set(key, ofKey.set(value, token));
    return token;
  }
}

function newToken(datasetKey: number, key: string, value: FilterValue): Token {
  return hash('sha1', JSON.stringify([datasetKey, key, value]), 'buffer').readBigInt64BE();
}

export function isScalar(value: unknown): value is FilterValue {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean';
}
