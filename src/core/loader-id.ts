/** Loader keys are 63 random bits in the database; the world sees them as 16 hexadecimal digits. */
export function formatLoaderId(loaderKey: bigint): string {
  return loaderKey.toString(16).padStart(16, '0');
}

/** A loader key that nobody has: there is no counter to read or to guess. */
export function newLoaderKey(): bigint {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return bits >> 1n;
}
