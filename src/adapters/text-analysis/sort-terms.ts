/** Terms have 30 bits: the upper eight choose the bucket. */
const BUCKET_SHIFT = 22;
const BUCKETS = 2 ** 8;
/** With more terms, buckets are too large for an insertion sort. */
const MOST = 2048;

const starts = new Int32Array(BUCKETS + 1);
const sorted = new Int32Array(MOST);

/**
 * Sorts the terms of a text in ascending order, in half of the time of `sort`: terms are hashes, which
 * are evenly distributed, so each bucket has few of them.
 *
 * @returns the sorted terms, which the next call overwrites
 */
export function sortTerms(terms: Int32Array): Int32Array {
  const { length } = terms;
  if (length > MOST) return terms.sort();
  starts.fill(0);
  for (let at = 0; at < length; at++) {
    const next = ((terms[at] as number) >>> BUCKET_SHIFT) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let bucket = 1; bucket < BUCKETS; bucket++) {
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  }
  for (let at = 0; at < length; at++) {
    const term = terms[at] as number;
    const bucket = term >>> BUCKET_SHIFT;
    const place = starts[bucket] as number;
    starts[bucket] = place + 1;
    sorted[place] = term;
  }
  for (let at = 1; at < length; at++) {
    const term = sorted[at] as number;
    let place = at;
    for (; place > 0 && (sorted[place - 1] as number) > term; place--) {
      sorted[place] = sorted[place - 1] as number;
    }
    sorted[place] = term;
  }
  return sorted.subarray(0, length);
}
