import type { Range } from '../core/limits.ts';

/** A range and its default, for the description of an argument. */
export function describeRange({ min, max, preset }: Range): string {
  return `${min} to ${max}; default ${preset}`;
}
