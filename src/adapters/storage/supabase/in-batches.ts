import pMap from 'p-map';

/** The server accepts this many paths in one call, ... */
const PATHS = 1000;
/** ... and bodies of 1 MiB, of which paths may use this much. */
const BYTES = 900_000;
const BATCHES_AT_ONCE = 4;

/**
 * Processes items in batches that fit into one call, several batches concurrently.
 *
 * @returns the results in the order of the items
 */
export async function inBatches<T, R>(
  items: T[],
  pathOf: (item: T) => string,
  work: (batch: T[]) => Promise<R[]>,
): Promise<R[]> {
  const results = await pMap(batchesOf(items, pathOf), work, { concurrency: BATCHES_AT_ONCE });
  return results.flat();
}

function batchesOf<T>(items: T[], pathOf: (item: T) => string): T[][] {
  const batches: T[][] = [];
  let room = 0;
  for (const item of items) {
    // JSON adds two quotes and a comma to each path.
    const bytes = pathOf(item).length + 3;
    const last = batches.at(-1);
    if (last && last.length < PATHS && bytes <= room) {
      last.push(item);
    } else {
      batches.push([item]);
      room = BYTES;
    }
    room -= bytes;
  }
  return batches;
}
