/** The index of the first number in a sorted list that is not less than this one, or the length of the list. */
export function lowerBound<N extends number | bigint>(sorted: ArrayLike<N>, number: N): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as N) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
