import pMap from 'p-map';

/** The server takes so many paths in one call, ... */
const PATHS = 1000;
/** ... in a body of 1 MiB, the rest of which is room for what else is in it. */
const BYTES = 900_000;
const BATCHES_AT_ONCE = 4;

/**
 * Works on what has paths in batches that one call may bring, several at once.
 *
 * @returns what the work returns of each, in their order
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
    // In JSON a path has two quotes and a comma more.
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
