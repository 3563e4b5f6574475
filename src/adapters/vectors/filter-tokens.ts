import { hash } from 'node:crypto';

/** A value that a filter can ask for. */
export type Scalar = string | number | boolean;

/**
 * Stands for "this dataset, and in it this value of this key": 64 bits of a hash, so that the
 * chunks with a token are the answer to a filter, but for collisions.
 */
export type Token = bigint;

/** Makes the tokens of one dataset. It remembers them: chunks of a file have most in common. */
export function createTokenizer(datasetKey: number) {
  const known = new Map<string, Map<Scalar, Token>>();

  /** The tokens of all members that a filter can ask for. */
  return function tokensOf(metadata: Record<string, unknown>): Token[] {
    const tokens: Token[] = [];
    for (const key of Object.keys(metadata)) {
      const value = metadata[key];
      if (isScalar(value)) tokens.push(tokenOf(key, value));
    }
    return tokens;
  };

  function tokenOf(key: string, value: Scalar): Token {
    const ofKey = known.get(key) ?? new Map<Scalar, Token>();
    const token = ofKey.get(value) ?? newToken(datasetKey, key, value);
    known.set(key, ofKey.set(value, token));
    return token;
  }
}

function newToken(datasetKey: number, key: string, value: Scalar): Token {
  return hash('sha1', JSON.stringify([datasetKey, key, value]), 'buffer').readBigInt64BE();
}

export function isScalar(value: unknown): value is Scalar {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean';
}
