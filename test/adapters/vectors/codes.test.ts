import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLexicalEmbeddings } from '../../../src/adapters/models/offline/lexical-embeddings.ts';
import { createSearchMemory } from '../../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../../src/adapters/vectors/pgvector-index.ts';
import type { Filter } from '../../../src/core/filter.ts';
import type { ChunkIndex } from '../../../src/ports/chunk-index.ts';
import { EFFORT } from '../../support/effort.ts';
import { createRandom, createVectors, VECTOR_KINDS } from '../../support/vectors.ts';
import { openIndex, rightOnes } from './support.ts';

/* Searches by codes, against a comparison of every vector, for every kind of vectors. */

const QUESTIONS = 6;
const LIMIT = 10;
const SIZE = 400 * EFFORT;
const FILE = 200;

/** Of a dataset nine in ten chunks are many, and one in five are few. */
const THRESHOLDS = {
  exactChunks: { cached: 100, uncached: 200 * EFFORT },
  exactMatches: { least: 100, share: 0.5 },
  candidates: { cached: 64, uncached: 80 * EFFORT },
  maxReranked: 20_000,
};

const FILTERS: Record<string, Filter[]> = {
  none: [],
  '90 %': [{ key: 'draft', match: { value: true } }],
  '20 %': [{ key: 'fifth', match: { value: 3 } }],
  '1 %': [{ key: 'hundredth', match: { value: 7 } }],
  'none of 3 values': [{ key: 'fifth', match: { except: [0, 1, 2] } }],
  'a range or a value': [
    {
      should: [
        { key: 'hundredth', range: { gte: 10, lt: 14 } },
        { key: 'fifth', match: { value: 1 } },
      ],
      must_not: [{ key: 'draft', match: { any: [false] } }],
    },
  ],
  none_passes: [{ key: 'draft', match: { value: 'true' } }],
};

const CONDITIONS = new Set(['none of 3 values', 'a range or a value']);

const DATASETS = VECTOR_KINDS.map((kind, at) => ({
  kind,
  size: kind === 'lexical' ? 4 * SIZE : SIZE,
  datasetKey: 1 + at,
}));

let store: Awaited<ReturnType<typeof openIndex>>;
let memory: ReturnType<typeof createSearchMemory>;
const indexes = new Map<string, ChunkIndex>();

beforeAll(async () => {
  store = await openIndex(THRESHOLDS);
  const { pool, query, index } = store;
  memory = createSearchMemory(pool, { bytes: 100e6 });
  const embeddings = createLexicalEmbeddings();
  const remembering = { pool, query, cache: memory, embeddings, thresholds: THRESHOLDS };
  indexes.set('codes that the database compares', index);
  indexes.set('codes in memory', await createPgvectorIndex(remembering));
});
afterAll(() => store.close());

describe.each(DATASETS)('$size $kind vectors', ({ kind, size, datasetKey }) => {
  const vectors = createVectors(kind);
  const random = createRandom(datasetKey);
  const scope = { customerKey: 1, datasetKey, chunkCount: size };

  beforeAll(async () => {
    for (let file = 0; file < size / FILE; file++) {
      await store.add(
        Array.from({ length: FILE }, (_, at) => ({
          customerKey: 1,
          datasetKey,
          loaderKey: BigInt(1000 * datasetKey + file),
          content: `${file}/${at}`,
          metadata: { draft: at % 10 > 0, fifth: at % 5, hundredth: (at + 50 * file) % 100 },
          vector: vectors.chunk('topic', `file-${file}`, random),
        })),
      );
    }
    memory.has(scope);
    await memory.waitForReads();
    expect(memory.has(scope)).toBe(true);
  });

  const onTopic = () => {
    const about = store.known.filter((chunk) => chunk.datasetKey === datasetKey);
    const { content, vector } = about[Math.floor(size * random())] ?? never();
    return vectors.question(vector, 'topic', `file-${content.split('/')[0]}`, random);
  };
  const offTopic = () => {
    const chunk = vectors.chunk('something else', 'elsewhere', random);
    return vectors.question(chunk, 'something else', 'elsewhere', random);
  };

  // Conditions choose the same chunks whatever the vectors are.
  const names = Object.keys(FILTERS).filter((name) => kind === 'lexical' || !CONDITIONS.has(name));
  it.each(names)('filter: %s', async (name) => {
    const filters = FILTERS[name] ?? never();
    const right = new Map<string, number>();
    let wanted = 0;
    for (let question = 0; question < QUESTIONS; question++) {
      const vector = question % 2 === 0 ? onTopic() : offTopic();
      const search = { ...scope, vector, filters, limit: LIMIT };
      const expected = store.expected(search);
      wanted += expected.length;
      for (const [place, index] of indexes) {
        store.statements.length = 0;
        const hits = await index.search(search);
        expect(hits).toHaveLength(expected.length);
        right.set(place, (right.get(place) ?? 0) + rightOnes(hits, expected));
        if (expected.length === 0) continue;
        const isFromMemory = store.statements.some((text) => text.includes('AS version'));
        expect(isFromMemory).toBe(place === 'codes in memory');
        // Memory is always sure, be the question on topic or off, unless many are equally near.
        if (isFromMemory && kind !== 'equal') {
          const compare = store.statements.filter((text) => text.includes('embedding'));
          expect(compare.every((text) => text.includes('AS version'))).toBe(true);
        }
      }
    }
    for (const count of right.values()) expect(count).toBe(wanted);
  });
});

it.each(['codes that the database compares', 'codes in memory'])(
  'equally near chunks come in the order in which they were added: %s',
  async (place) => {
    const vectors = createVectors('clustered', 2);
    const random = createRandom(9);
    const vector = vectors.chunk('twins', 'twins', random);
    const others = Array.from({ length: SIZE / 2 }, () => vectors.chunk('twins', 'other', random));
    const scope = { customerKey: 1, datasetKey: 100 + place.length, chunkCount: SIZE / 2 + 30 };
    await store.add(
      [...others, ...Array.from({ length: 30 }, () => vector)].map((each, at) => ({
        ...scope,
        loaderKey: BigInt(place.length),
        content: String(at),
        metadata: {},
        vector: each,
      })),
    );
    memory.has(scope);
    await memory.waitForReads();
    for (const chunkCount of [100, scope.chunkCount]) {
      const search = { ...scope, chunkCount, vector, filters: [], limit: 20 };
      const hits = (await indexes.get(place)?.search(search)) ?? never();
      expect(hits.map(({ pageContent }) => Number(pageContent))).toEqual(
        Array.from({ length: 20 }, (_, at) => others.length + at),
      );
    }
  },
);

function never(): never {
  throw new Error('every dataset has chunks, and every name a filter');
}
