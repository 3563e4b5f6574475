/** Groups what comes one by one, as what comes in crowds is cheaper to hand on. */
export function* inBatches<T>(items: Iterable<T>, size = 500): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
