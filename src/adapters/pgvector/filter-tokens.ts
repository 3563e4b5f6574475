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
  const known = new Map<string, Token>();

  /** The tokens of all members that a filter can ask for. */
  return function tokensOf(metadata: Record<string, unknown>): Token[] {
    return Object.entries(metadata).flatMap(([key, value]) => {
      if (!isScalar(value)) return [];
      const name = JSON.stringify([datasetKey, key, value]);
      let token = known.get(name);
      if (token === undefined) {
        token = hash('sha1', name, 'buffer').readBigInt64BE();
        known.set(name, token);
      }
      return [token];
    });
  };
}

/** Tokens in 64 bits, two bits each: what lacks a bit of another signature lacks a token of it. */
export function signatureOf(tokens: Token[]): bigint {
  let bits = 0n;
  for (const token of tokens) bits |= (1n << (token & 63n)) | (1n << ((token >> 6n) & 63n));
  return BigInt.asIntN(64, bits);
}

export function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
