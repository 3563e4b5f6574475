/** Loader keys are 63 random bits in the database, and 16 hexadecimal digits in the API. */
export function formatLoaderId(loaderKey: bigint): string {
  return loaderKey.toString(16).padStart(16, '0');
}

/** A random loader key, so that ids reveal no count and cannot be guessed. */
export function newLoaderKey(): bigint {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return bits >> 1n;
}
