/**
 * The constant `k`: the larger it is, the smaller the advantage of the first ranks. 60 is the
 * published value.
 */
const RANK_CONSTANT = 60;

/**
 * Combines rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). Items that are
 * high in one ranking, or fairly high in several, come first.
 *
 * @param keyOf identifies an item across rankings
 */
export function fuse<Item>(
  rankings: Item[][],
  keyOf: (item: Item) => string,
  limit: number,
): Item[] {
  const fused = new Map<string, { item: Item; score: number }>();
  for (const ranking of rankings) {
    for (const [at, item] of ranking.entries()) {
      const found = fused.get(keyOf(item)) ?? { item, score: 0 };
      found.score += 1 / (RANK_CONSTANT + at + 1);
      fused.set(keyOf(item), found);
    }
  }
  return [...fused.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item);
}
