/** How well each term of a question is matched, 0 to 1, in the order of the terms. */
export type Matches = number[];

/** The least match for a name to count as found. */
export const NAMED = 0.6;

/** The best match for each term in any of several places. */
export function best(...places: Matches[]): Matches {
  // Index loops for speed: a question is compared with hundreds of sentences.
  const [first = [], ...others] = places;
  const found = first.slice();
  for (const place of others) {
    for (let term = 0; term < place.length; term++) {
      found[term] = Math.max(found[term] ?? 0, place[term] ?? 0);
    }
  }
  return found;
}

export function times(matches: Matches, credit: number): Matches {
  return matches.map((match) => match * credit);
}

/** The weight of the matched terms, relative to the weight of all terms: 0 to 1. */
export function share(matches: Matches, weights: number[]): number {
  const found = weights.reduce((sum, weight, term) => sum + weight * (matches[term] ?? 0), 0);
  const asked = weights.reduce((sum, weight) => sum + weight, 0);
  return asked > 0 ? found / asked : 0;
}
