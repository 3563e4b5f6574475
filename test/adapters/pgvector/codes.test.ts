import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../../src/core/model.ts';
import {
  createRandom,
  createVectors,
  VECTOR_KINDS,
  type VectorKind,
} from '../../support/vectors.ts';
import { openIndex, rightOnes, SMALL_THRESHOLDS } from './support.ts';

/* Searches where codes come first, as in large datasets, against a comparison of every vector. */

const SIZE = 1_200;
const QUESTIONS = 15;
const LIMIT = 10;
const MOST: Filter[] = [{ key: 'draft', match: { value: true } }];

const PLACES = { 'codes that are read': 0, 'codes in memory': 10e6 };
type Place = keyof typeof PLACES;

const stores = new Map<Place, Awaited<ReturnType<typeof openIndex>>>();
beforeAll(async () => {
  for (const [place, bytes] of Object.entries(PLACES)) {
    stores.set(place as Place, await openIndex(SMALL_THRESHOLDS, { bytes }));
  }
});
afterAll(async () => {
  for (const store of stores.values()) await store.close();
});

/** The vectors of a family, the same in every place. */
const made = new Map<VectorKind, Float32Array[]>();

const storeOf = (place: Place) => stores.get(place) ?? never();

/** Has the codes of a dataset read, where they are kept in memory. */
async function warm(place: Place, datasetKey: number) {
  const { cache } = storeOf(place);
  const scope = { customerKey: 1, datasetKey, chunkCount: SIZE };
  cache.has(scope);
  await cache.settled();
  expect(cache.has(scope)).toBe(PLACES[place] > 0);
}

const families = (Object.keys(PLACES) as Place[]).flatMap((place) =>
  VECTOR_KINDS.map((family) => ({ place, family })),
);

describe.each(families)('$family vectors, $place', ({ place, family }) => {
  const datasetKey = 1 + VECTOR_KINDS.indexOf(family);
  const vectors = createVectors(family);
  const random = createRandom(datasetKey);
  let store: Awaited<ReturnType<typeof openIndex>>;

  beforeAll(async () => {
    store = storeOf(place);
    const chunks =
      made.get(family) ??
      Array.from({ length: SIZE }, (_, at) =>
        vectors.chunk('topic', `file-${Math.floor(at / 100)}`, random),
      );
    made.set(family, chunks);
    for (let file = 0; file < SIZE / 100; file++) {
      await store.add(
        Array.from({ length: 100 }, (_, at) => ({
          customerKey: 1,
          datasetKey,
          loaderKey: BigInt(1000 * datasetKey + file),
          content: `${file}/${at}`,
          // Nearly all are drafts: more than are compared one by one.
          metadata: { draft: at % 10 > 0, rare: at === 0 },
          vector: chunks[100 * file + at] ?? never(),
        })),
      );
    }
    await warm(place, datasetKey);
  });

  it('they are taken from there', async () => {
    store.statements.length = 0;
    const search = { customerKey: 1, datasetKey, vector: onTopic(), filters: [], limit: LIMIT };
    await store.index.search({ ...search, chunkCount: SIZE });
    const readsCodes = store.statements.some((statement) => statement.includes('<~>'));
    expect(readsCodes).toBe(PLACES[place] === 0);
  });

  const about = () => store.known.filter((chunk) => chunk.datasetKey === datasetKey);
  const onTopic = () => {
    const { content, vector } = pick(about());
    const [file] = content.split('/');
    return vectors.question(vector, 'topic', `file-${file}`, random);
  };
  const pick = <Thing>(things: Thing[]) => things[Math.floor(random() * things.length)] as Thing;
  const offTopic = () => vectors.chunk('something else', 'elsewhere', random);

  it.each([
    { what: 'on topic', ask: onTopic, filters: [], chunkCount: SIZE, recall: 0.999 },
    { what: 'off topic', ask: offTopic, filters: [], chunkCount: SIZE, recall: 0.995 },
    { what: 'on topic, filtered', ask: onTopic, filters: MOST, chunkCount: SIZE, recall: 0.999 },
    {
      what: 'off topic, filtered',
      ask: offTopic,
      filters: MOST,
      chunkCount: SIZE,
      recall: 0.995,
    },
    {
      what: 'for a rare thing',
      ask: offTopic,
      filters: [{ key: 'rare', match: { value: true } }],
      chunkCount: SIZE,
      recall: 1,
    },
  ])('questions $what: recall is $recall at least, and nothing is short', async (row) => {
    let right = 0;
    for (let question = 0; question < QUESTIONS; question++) {
      const { filters, chunkCount } = row;
      const search = { customerKey: 1, datasetKey, vector: row.ask(), filters, limit: LIMIT };
      const hits = await store.index.search({ ...search, chunkCount });
      expect(hits).toHaveLength(LIMIT);
      right += rightOnes(hits, store.expected(search));
    }
    expect(right / (QUESTIONS * LIMIT)).toBeGreaterThanOrEqual(row.recall);
  });
});

it.each(Object.keys(PLACES) as Place[])(
  'equally near chunks come in the order in which they were added: %s',
  async (place) => {
    const store = storeOf(place);
    const vectors = createVectors('clustered', 2);
    const random = createRandom(9);
    const vector = vectors.chunk('twins', 'twins', random);
    const others = Array.from({ length: 1_000 }, () => vectors.chunk('twins', 'other', random));
    await store.add(
      [...others, ...Array.from({ length: 30 }, () => vector)].map((each, at) => ({
        customerKey: 1,
        datasetKey: 9,
        loaderKey: 9n,
        content: String(at),
        metadata: {},
        vector: each,
      })),
    );
    await warm(place, 9);
    for (const chunkCount of [100, 1_030]) {
      const search = { customerKey: 1, datasetKey: 9, vector, filters: [], limit: 20, chunkCount };
      const hits = await store.index.search(search);
      expect(hits.map(({ pageContent }) => Number(pageContent))).toEqual(
        Array.from({ length: 20 }, (_, at) => 1_000 + at),
      );
    }
  },
);

function never(): never {
  throw new Error('there is a store of every place, and a vector of every chunk');
}
