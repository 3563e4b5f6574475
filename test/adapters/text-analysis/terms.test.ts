import { expect, test } from 'vitest';
import { createTermReader } from '../../../src/adapters/text-analysis/terms.ts';
import { wordsOf } from '../../../src/adapters/text-analysis/words.ts';
import { createRandom } from '../../support/vectors.ts';

test.each([
  ['numbers', 'v1.5 costs 12,500.75 or 12.500, not 1.5.; 3,7,x 1,2a 007'],
  ['words', 'it-is "Quoted" e.g. a_b c3po x'],
  ['a long word', `${'pneumono'.repeat(6)} again ${'pneumono'.repeat(6)}`],
  ['nothing', ' .,;\n'],
])('terms of ASCII texts are those of their words: %s', (_, text) => {
  expectTermsOfWords(text);
});

test.each([
  ['many words', Array.from({ length: 2500 }, (_, at) => `w${(at * 7) % 300}`).join(' ')],
  ['accents, which are no ASCII', 'Crème brûlée, crème, 12,500 and \u212aelvin'],
])('terms are those of their words: %s', (_, text) => {
  expectTermsOfWords(text);
});

test('terms of ASCII texts are those of their words, whatever they are', () => {
  const random = createRandom(3);
  const pieces = ['a', 'Bee', '1', '23', '.', ',', ' ', '-', 'running', '\n', 'zzz'];
  for (let round = 0; round < 2000; round++) {
    const some = Array.from({ length: 12 }, () => pieces[Math.floor(pieces.length * random())]);
    expectTermsOfWords(some.join(''));
  }
});

const reader = createTermReader();

function expectTermsOfWords(text: string): void {
  const words = wordsOf(text).map(reader.termOf);
  const terms = [...new Set(words)].sort((a, b) => a - b);
  const counts = terms.map((term) => words.filter((word) => word === term).length);
  expect(reader.read(text)).toEqual({ terms, counts, length: words.length });
}
