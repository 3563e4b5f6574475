import { setImmediate } from 'node:timers/promises';

/**
 * Does work on a long list a part at a time, and lets others have their turn between.
 *
 * @param size how much takes about half a millisecond
 */
export async function inSlices(
  length: number,
  size: number,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    if (from > 0) await setImmediate();
    work(from, Math.min(length, from + size));
  }
}
