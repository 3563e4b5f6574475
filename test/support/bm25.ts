import { stem } from '../../src/adapters/text-analysis/stemming.ts';
import { wordsOf } from '../../src/adapters/text-analysis/words.ts';

/**
 * Okapi BM25 (k1 1.2, b 0.75), worked out anew from the texts for each question.
 *
 * @returns the score of each text, 0 for those that have none of the words
 */
export function bm25(texts: string[], question: string): number[] {
  const documents = texts.map((text) => wordsOf(text).map(stem));
  const average = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const terms = new Set(wordsOf(question).map(stem));
  const scores = documents.map(() => 0);
  for (const term of terms) {
    const times = documents.map((words) => words.filter((word) => word === term).length);
    const frequency = times.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5));
    times.forEach((count, at) => {
      const length = documents[at]?.length ?? 0;
      const saturated = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      scores[at] = (scores[at] ?? 0) + rarity * saturated;
    });
  }
  return scores;
}
