/** How little the first ranks count more than those below; 60 is what the method was published with. */
const FLATTENING = 60;

/**
 * Fuses rankings of things by the reciprocals of their ranks (Cormack, Clarke and Büttcher, 2009):
 * what is high in one ranking, or fairly high in several, comes first.
 *
 * @param keyOf the same for the same thing in each ranking
 */
export function fuse<Thing>(
  rankings: Thing[][],
  keyOf: (thing: Thing) => string,
  limit: number,
): Thing[] {
  const fused = new Map<string, { thing: Thing; score: number }>();
  for (const ranking of rankings) {
    for (const [at, thing] of ranking.entries()) {
      const found = fused.get(keyOf(thing)) ?? { thing, score: 0 };
      found.score += 1 / (FLATTENING + at + 1);
      fused.set(keyOf(thing), found);
    }
  }
  return [...fused.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ thing }) => thing);
}
