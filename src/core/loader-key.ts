/**
 * A random loader key: 63 bits in the database, 16 hexadecimal digits in the API, so that ids reveal no
 * count and cannot be guessed.
 */
export function newLoaderKey(): bigint {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return bits >> 1n;
}
