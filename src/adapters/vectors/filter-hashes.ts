import { hash } from 'node:crypto';
import type { FilterValue } from '../../core/filter.ts';

/**
 * A 64-bit hash of a dataset, a metadata key and a value. The chunks with a hash are those that
 * match the filter, except for collisions.
 */
export type FilterHash = bigint;

/**
 * Creates the filter hashes for one dataset. It caches them, because the chunks of a file share most of
 * them.
 */
export function createFilterHasher(datasetKey: number) {
  const known = new Map<string, Map<FilterValue, FilterHash>>();

  /** The hashes of all entries of the metadata that a filter can match. */
  return function hashesOf(metadata: Record<string, unknown>): FilterHash[] {
    const hashes: FilterHash[] = [];
    for (const key of Object.keys(metadata)) {
      const value = metadata[key];
      if (isScalar(value)) hashes.push(hashOf(key, value));
    }
    return hashes;
  };

  function hashOf(key: string, value: FilterValue): FilterHash {
    const ofKey = known.get(key) ?? new Map<FilterValue, FilterHash>();
    const found = ofKey.get(value) ?? newHash(datasetKey, key, value);
    known.set(key, ofKey.set(value, found));
    return found;
  }
}

function newHash(datasetKey: number, key: string, value: FilterValue): FilterHash {
  return hash('sha1', JSON.stringify([datasetKey, key, value]), 'buffer').readBigInt64BE();
}

export function isScalar(value: unknown): value is FilterValue {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean';
}
