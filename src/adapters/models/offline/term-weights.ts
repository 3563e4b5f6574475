import type { DocumentFrequencies } from '../../../core/model.ts';
import type { Term } from './question.ts';

/**
 * What finding each term of a question is worth: the rarer it is in the dataset, the more (inverse
 * document frequency, as BM25 has it). One that no chunk has is worth most: it is most likely what
 * the documents do not tell.
 */
export function weighTerms(terms: Term[], { chunkCount, counts }: DocumentFrequencies): number[] {
  const weights = terms.map(({ weight }, at) => {
    const count = Math.min(counts[at] ?? 0, chunkCount);
    return weight * Math.log(1 + (chunkCount - count + 0.5) / (count + 0.5));
  });
  const names = sum(weights.filter((_, at) => terms[at]?.isName));
  const others = sum(weights) - names;
  const share = others > 0 && names > others ? others / names : 1;
  return weights.map((weight, at) => (terms[at]?.isName ? weight * share : weight));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
