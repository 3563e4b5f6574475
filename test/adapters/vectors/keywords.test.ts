import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Filter } from '../../../src/core/filter.ts';
import type { JsonObject } from '../../../src/core/model.ts';
import { searchableText } from '../../../src/core/searchable-text.ts';
import { bm25 } from '../../support/bm25.ts';
import { EFFORT } from '../../support/effort.ts';
import { matchesFilters } from '../../support/matches-filters.ts';
import { someFilters } from '../../support/some-filters.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';
import { type Known, openIndex, SMALL_THRESHOLDS } from './support.ts';

/* Searches by keywords, against BM25 worked out in the test; without memory and with it. */

const WORDS = [
  ...'battery batteries invoice warranty kitchen river index indexing gateway'.split(' '),
  ...'Garantie Kündigung résumé línea 12,500 E09 war the of is wie der'.split(' '),
  ...['図書館の休館日', '火车站', '자전거를', 'гарантия'],
];
/** A question of them is asked for all its other words. */
const FUNCTION_WORDS = ['war', 'the', 'of', 'is', 'wie', 'der'];
const ASKED = [...WORDS.filter((word) => !FUNCTION_WORDS.includes(word)), 'unheard'];
const LANGS = ['en', 'de', 'ja'];
const CUSTOMERS = [1, 2];
const DATASETS = [1, 2];

const vectors = createVectors('isotropic', 3);
const random = createRandom(11);
const pick = <Thing>(things: Thing[]): Thing =>
  things[Math.floor(random() ** 2 * things.length)] as Thing;

describe.each([
  ['without memory', { bytes: 0 }],
  ['from memory', { bytes: 50e6 }],
])('%s', (_, memory) => {
  let store: Awaited<ReturnType<typeof openIndex>>;

  beforeAll(async () => {
    store = await openIndex(SMALL_THRESHOLDS, memory);
    let loaderKey = 1n;
    for (const customerKey of CUSTOMERS) {
      for (const dataset of DATASETS) {
        for (let file = 0; file < 4; file++, loaderKey++) {
          const size = 20 + 30 * customerKey;
          await store.add(
            Array.from({ length: size }, () => someChunk(customerKey, dataset, loaderKey)),
          );
        }
      }
    }
    if (memory.bytes > 0) for (const customerKey of CUSTOMERS) await warm(customerKey);
  });
  afterAll(() => store.close());

  const warm = async (customerKey: number) => {
    for (const dataset of DATASETS) await remembered(customerKey, dataset);
  };
  const remembered = (customerKey: number, dataset: number) =>
    vi.waitFor(async () => {
      const scope = { customerKey, datasetKey: 10 * customerKey + dataset, chunkCount: 500 };
      if (store.cache.has(scope)) return;
      await store.cache.waitForReads();
      expect(store.cache.has(scope)).toBe(true);
    }, 10_000);

  const question = fc.record({
    customerKey: fc.constantFrom(...CUSTOMERS),
    dataset: fc.constantFrom(...DATASETS),
    words: fc.array(fc.constantFrom(...ASKED), { minLength: 1, maxLength: 12 }),
    filters: someFilters(['lang'], [...LANGS, 'xx']),
    limit: fc.integer({ min: 1, max: 50 }),
    chunkCount: fc.constantFrom(1, 500, 50_000),
  });

  it('keyword: the hits are the best by BM25 of those that pass and have a word, and nobody else’s', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (drawn) => {
        const search = toSearch(drawn);
        const hits = await store.index.search({ ...search, mode: 'keyword' });
        const expected = ranked(store.known, search);
        const scoreOf = new Map(expected.map(({ chunk, score }) => [chunk.content, score]));
        const found = hits.map(({ pageContent }) => scoreOf.get(pageContent) ?? 0);
        const best = expected.slice(0, search.limit).map(({ score }) => score);
        expect(found).toHaveLength(best.length);
        for (const [at, score] of found.entries()) expect(score).toBeCloseTo(best[at] ?? 0, 6);
        for (const { pageContent, score } of hits) {
          const { vector } = store.known.find(({ content }) => content === pageContent) as Known;
          expect(score).toBeCloseTo(cosine(vector, search.vector), 2);
        }
      }),
      { numRuns: 40 * EFFORT },
    );
  });

  it('hybrid: the first 30 of both rankings, or as many as asked for, by the sum of 1 / (60 + rank), and no fewer than by vector', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (drawn) => {
        const search = toSearch(drawn);
        const depth = Math.max(30, search.limit);
        const [hybrid, ...rankings] = await Promise.all([
          store.index.search({ ...search, mode: 'hybrid' }),
          store.index.search({ ...search, limit: depth }),
          store.index.search({ ...search, limit: depth, mode: 'keyword' }),
        ]);
        const scores = new Map<string, number>();
        for (const ranking of rankings) {
          for (const [at, { pageContent }] of ranking.entries()) {
            scores.set(pageContent, (scores.get(pageContent) ?? 0) + 1 / (61 + at));
          }
        }
        const best = [...scores.values()].sort((a, b) => b - a).slice(0, search.limit);
        expect(hybrid.map(({ pageContent }) => scores.get(pageContent))).toEqual(best);
        expect(new Set(hybrid.map(({ pageContent }) => pageContent)).size).toBe(hybrid.length);
      }),
      { numRuns: 20 * EFFORT },
    );
  });

  it('words are counted among the chunks that pass, in any form', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (drawn) => {
        const { customerKey, datasetKey, chunkCount, filters } = toSearch(drawn);
        const passing = passingOf(store.known, toSearch(drawn));
        const texts = passing.map(searchableText);
        const counted = await store.index.documentFrequencies(
          { customerKey, datasetKey, chunkCount, filters },
          ['battery', 'Garantie', 'unheard', '', '12500'],
        );
        const has = (word: string) => bm25(texts, word).filter((score) => score > 0).length;
        expect(counted).toEqual({
          chunkCount: passing.length,
          counts: [has('battery'), has('Garantie'), 0, 0, has('12,500')],
        });
      }),
      { numRuns: 20 * EFFORT },
    );
  });

  it('however many words are asked for, each is counted, and without one the chunks are', async () => {
    const { customerKey, datasetKey, vector } = store.known[0] as Known;
    const scope = { customerKey, datasetKey, chunkCount: 500, filters: [] };
    const many = Array.from({ length: 2_000 }, (_, at) => `unheard${at}`);
    const { chunkCount, counts } = await store.index.documentFrequencies(scope, [
      ...many,
      'battery',
    ]);
    expect(counts.slice(0, -1)).toEqual(many.map(() => 0));
    expect(counts.at(-1)).toBeGreaterThan(0);
    expect(await store.index.documentFrequencies(scope, [])).toEqual({ chunkCount, counts: [] });
    const question = [...many, 'battery'].join(' ');
    const search = { ...scope, vector, question, limit: 8 };
    expect(await store.index.search({ ...search, mode: 'hybrid' })).toHaveLength(8);
  });

  it('all terms are read from the database, or none', async () => {
    const { customerKey, datasetKey, vector } = store.known[0] as Known;
    const scope = { customerKey, datasetKey, chunkCount: 500, filters: [] };
    store.statements.length = 0;
    await store.index.search({ ...scope, vector, limit: 5, question: 'battery', mode: 'keyword' });
    await store.index.documentFrequencies(scope, ['battery']);
    const read = store.statements.filter((text) => text.includes('FROM chunk_index'));
    expect(read).toHaveLength(memory.bytes > 0 ? 0 : 2);
  });

  it('of a language’s function words a question is about the others, if it has any', async () => {
    const { customerKey, datasetKey, vector } = store.known[0] as Known;
    const scope = { customerKey, datasetKey, chunkCount: 500, filters: [], vector };
    const contentsOf = async (question: string) => {
      const hits = await store.index.search({ ...scope, question, mode: 'keyword', limit: 50 });
      return hits.map(({ pageContent }) => pageContent);
    };
    expect(await contentsOf('what is the river of')).toEqual(await contentsOf('river'));
    // In German it is one, in English none.
    const texts = store.known.map(searchableText);
    expect(bm25(texts, 'war').some((score) => score > 0)).toBe(true);
    expect(await contentsOf('what is the war of')).toEqual(await contentsOf('war'));
    expect(await contentsOf('what is it')).toEqual(await contentsOf('is'));
  });

  it('chunks of a file on its way are neither found nor counted', async () => {
    const { known } = store;
    const [chunk] = known;
    if (!chunk) throw new Error('there are chunks');
    const { customerKey, datasetKey, loaderKey } = chunk;
    const scope = { customerKey, datasetKey, chunkCount: 500, filters: [] };
    const before = await store.index.documentFrequencies(scope, ['battery']);
    const pending = known.filter((one) => one.loaderKey === loaderKey);
    await store.pool.query(
      `INSERT INTO pending_file (customer_key, loader_key, path, due) VALUES ($1, $2, '', now())`,
      [customerKey, loaderKey],
    );
    const search = { ...scope, vector: chunk.vector, limit: 50, question: 'battery' };
    for (const mode of ['keyword', 'hybrid'] as const) {
      const hits = await store.index.search({ ...search, mode });
      const contents = hits.map(({ pageContent }) => pageContent);
      expect(pending.filter(({ content }) => contents.includes(content))).toEqual([]);
    }
    const hidden = bm25(pending.map(searchableText), 'battery').filter((score) => score > 0);
    const during = await store.index.documentFrequencies(scope, ['battery']);
    expect(hidden.length).toBeGreaterThan(0);
    expect(during.chunkCount).toBe(before.chunkCount - pending.length);
    expect(during.counts[0]).toBe((before.counts[0] ?? 0) - hidden.length);

    await store.pool.query('DELETE FROM pending_file');
    expect(await store.index.documentFrequencies(scope, ['battery'])).toEqual(before);
  });

  it('what is removed leaves nothing', async () => {
    const { customerKey, datasetKey } = store.known[0] as Known;
    const loaders = new Set(
      store.known.filter((one) => one.datasetKey === datasetKey).map((one) => one.loaderKey),
    );
    for (const loaderKey of loaders) await store.remove(customerKey, loaderKey);
    const { rows } = await store.pool.query(
      'SELECT count(*)::int AS count FROM chunk_index WHERE dataset_key = $1',
      [datasetKey],
    );
    expect(rows).toEqual([{ count: 0 }]);
    const scope = { customerKey, datasetKey, chunkCount: 500, filters: [] };
    expect(await store.index.documentFrequencies(scope, ['battery'])).toEqual({
      chunkCount: 0,
      counts: [0],
    });
  });
});

let made = 0;
function someChunk(customerKey: number, dataset: number, loaderKey: bigint): Known {
  // With its name and heading no more than a term is counted.
  const words = Array.from({ length: Math.floor(14 * random()) }, () => pick(WORDS));
  const metadata: JsonObject = { lang: pick(LANGS), originalName: `${pick(WORDS)}.txt` };
  if (random() < 0.5) metadata['heading'] = `Part > ${pick(WORDS)}`;
  return {
    customerKey,
    datasetKey: 10 * customerKey + dataset,
    loaderKey,
    content: `no${++made} ${words.join(' ')}`,
    metadata,
    vector: vectors.chunk('all', 'all', random),
  };
}

function toSearch(drawn: {
  customerKey: number;
  dataset: number;
  words: string[];
  filters: Filter[];
  limit: number;
  chunkCount: number;
}) {
  const { customerKey, dataset, words, filters, limit, chunkCount } = drawn;
  return {
    customerKey,
    datasetKey: 10 * customerKey + dataset,
    chunkCount,
    question: words.join(' '),
    vector: vectors.chunk('all', 'all', createRandom(words.length)),
    filters,
    limit,
  };
}

type Search = ReturnType<typeof toSearch>;

function passingOf(known: Known[], { customerKey, datasetKey, filters }: Search): Known[] {
  return known.filter(
    (chunk) =>
      chunk.customerKey === customerKey &&
      chunk.datasetKey === datasetKey &&
      matchesFilters(chunk.metadata, filters),
  );
}

function ranked(known: Known[], search: Search) {
  const passing = passingOf(known, search);
  const scores = bm25(passing.map(searchableText), search.question);
  return passing
    .map((chunk, at) => ({ chunk, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0);
}
