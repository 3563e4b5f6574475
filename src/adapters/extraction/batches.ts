/** Groups items into arrays, which are cheaper to pass on than single items. */
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
