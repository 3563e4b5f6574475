/** How well each term of a question is found somewhere, 0 to 1, in the order of the terms. */
export type Matches = number[];

/** A name is found as soon as a word resembles it that much. */
export const NAMED = 0.6;

/** What is found in any of some places. */
export function best(...places: Matches[]): Matches {
  // Loops by index: sentences by the hundred are looked at for a question.
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

/** The share of the weight of all terms that is found, 0 to 1. */
export function share(matches: Matches, weights: number[]): number {
  const found = weights.reduce((sum, weight, term) => sum + weight * (matches[term] ?? 0), 0);
  const asked = weights.reduce((sum, weight) => sum + weight, 0);
  return asked > 0 ? found / asked : 0;
}
