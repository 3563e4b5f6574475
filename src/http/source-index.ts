import { isDeepStrictEqual } from 'node:util';
import type { SearchHit } from '../core/model.ts';

/** The index of a cited source in the sources of its answer. In a repeated answer, the sources are copies. */
export function sourceIndex(sources: SearchHit[], hit: SearchHit): number {
  return sources.findIndex((source) => isDeepStrictEqual(source, hit));
}
