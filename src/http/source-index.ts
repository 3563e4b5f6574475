import { isDeepStrictEqual } from 'node:util';
import type { SearchHit } from '../core/model.ts';

/** The place of a cited source among the sources of its answer, of which a repeated answer has copies. */
export function sourceIndex(sources: SearchHit[], hit: SearchHit): number {
  return sources.findIndex((source) => isDeepStrictEqual(source, hit));
}
