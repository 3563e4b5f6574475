import { expect, test } from 'vitest';
import { TERM_SPACE } from '../../../src/adapters/text-analysis/terms.ts';
import { encodeOne } from '../../../src/adapters/vectors/array-encoding.ts';
import { SPARSE } from '../../../src/adapters/vectors/keywords/sparse-encoding.ts';
import { createTermLists } from '../../../src/adapters/vectors/memory/term-lists.ts';
import { createRandom } from '../../support/vectors.ts';

/* Lists of more chunks than lie together, against BM25 by one chunk after the other. */

const CHUNKS = 5_000;
const random = createRandom(5);
const vocabulary = Array.from({ length: 300 }, (_, at) =>
  at < 2 ? at * (TERM_SPACE - 1) : Math.floor(random() * TERM_SPACE),
);
const someTerm = () => vocabulary[Math.floor(300 * random() ** 3)] ?? 0;

const chunks = Array.from({ length: CHUNKS }, () => {
  const times = new Map<number, number>();
  const length = Math.floor(40 * random());
  for (let word = 0; word < length; word++) {
    const term = someTerm();
    times.set(term, Math.min(15, (times.get(term) ?? 0) + 1));
  }
  return { times, length };
});

const lists = createTermLists(BigInt);
for (const { times, length } of chunks) {
  const dimensions = [...times.keys()].sort((a, b) => a - b);
  const numbers = dimensions.map((term) => times.get(term) ?? 0);
  lists.add(length, encodeOne({ dimensions, numbers }, SPARSE));
}
lists.finish();

const third = Uint8Array.from({ length: CHUNKS }, (_, at) => (at % 3 === 0 ? 1 : 0));

test.each([
  ['all chunks', undefined],
  ['a third of them', third],
])('the best of %s, and how many have each term', async (_, passing) => {
  for (let round = 0; round < 40; round++) {
    const terms = [...new Set(Array.from({ length: 1 + (round % 9) }, someTerm))];
    const { scores, frequencies } = bm25(terms, passing);
    const found = await lists.best(terms, passing, 30);
    const best = scores.toSorted((a, b) => b - a).filter((score) => score > 0);
    expect(found).toHaveLength(Math.min(30, best.length));
    for (const [rank, key] of found.entries()) {
      expect(scores[Number(key)]).toBeCloseTo(best[rank] ?? 0, 9);
    }
    expect((await lists.survey(terms, passing)).frequencies).toEqual(frequencies);
  }
});

test('equally good chunks come in the order of their keys, not of their places', async () => {
  const same = createTermLists((place) => BigInt(CHUNKS - place));
  const terms = encodeOne({ dimensions: [7], numbers: [1] }, SPARSE);
  for (let at = 0; at < CHUNKS; at++) same.add(3, terms);
  same.finish();
  expect(await same.best([7], undefined, 4)).toEqual([1n, 2n, 3n, 4n]);
});

test('a chunk takes no more than 500 bytes', () => {
  expect(lists.bytes() / CHUNKS).toBeLessThan(500);
  expect(createTermLists(BigInt).bytes()).toBe(0);
});

function bm25(terms: number[], passing: Uint8Array | undefined) {
  const passes = (at: number) => passing?.[at] !== 0;
  const some = chunks.filter((_, at) => passes(at));
  const average = some.reduce((sum, { length }) => sum + length, 0) / some.length;
  const frequencies = terms.map((term) => some.filter(({ times }) => times.has(term)).length);
  const scores = chunks.map(({ times, length }, at) => {
    if (!passes(at)) return 0;
    return terms.reduce((sum, term, number) => {
      const [count, frequency] = [times.get(term) ?? 0, frequencies[number] ?? 0];
      const rarity = Math.log(1 + (some.length - frequency + 0.5) / (frequency + 0.5));
      return sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    }, 0);
  });
  return { scores, frequencies };
}
