import { setImmediate } from 'node:timers/promises';

/**
 * Processes a long list in slices, and yields to the event loop between them.
 *
 * @param size the number of items that take about half a millisecond
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
