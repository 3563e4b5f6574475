/** How well each term of a question is found somewhere, 0 to 1, in the order of the terms. */
export type Matches = number[];

/** What is found in any of some places. */
export function best(...places: Matches[]): Matches {
  const longest = Math.max(0, ...places.map((place) => place.length));
  return Array.from({ length: longest }, (_, term) =>
    Math.max(0, ...places.map((place) => place[term] ?? 0)),
  );
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
