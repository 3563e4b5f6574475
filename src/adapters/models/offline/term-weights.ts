import type { DocumentFrequencies } from '../../../core/model.ts';
import type { Term } from './question.ts';

/**
 * The number of chunks that a dataset is assumed to have at least. Frequencies among fewer mean nothing:
 * one word that they lack, such as "long" in "How long ...?", would outweigh all that they have.
 */
const FEWEST_CHUNKS = 50;

/**
 * Weighs the terms of a question by their inverse document frequency in the dataset, as in BM25. A
 * term that occurs in no chunk has the greatest weight, because the documents probably lack the
 * answer. All names together weigh no more than all other terms.
 */
export function weighTerms(terms: Term[], { chunkCount, counts }: DocumentFrequencies): number[] {
  const total = Math.max(chunkCount, FEWEST_CHUNKS);
  const weights = terms.map(({ weight }, at) => {
    const count = Math.min(counts[at] ?? 0, chunkCount);
    return weight * Math.log(1 + (total - count + 0.5) / (count + 0.5));
  });
  const names = sum(weights.filter((_, at) => terms[at]?.isName));
  const others = sum(weights) - names;
  const share = others > 0 && names > others ? others / names : 1;
  return weights.map((weight, at) => (terms[at]?.isName ? weight * share : weight));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
