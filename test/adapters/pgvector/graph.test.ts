import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Filter } from '../../../src/core/model.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';
import { openIndex, rightOnes } from './support.ts';

/* Searches along a graph, against a comparison of every vector. */

const FILES = 12;
const SIZE = 100 * FILES;
const LIMIT = 10;
const SCOPE = { customerKey: 1, datasetKey: 1 };
const vectors = createVectors('clustered', 3);
const random = createRandom(3);

let store: Awaited<ReturnType<typeof openIndex>>;
beforeAll(async () => {
  store = await openIndex({ exactChunks: 200, exactMatches: 800, candidates: 100, widest: 300 });
  for (let file = 0; file < FILES; file++) await add(1, file, 100);
  await add(2, 99, 300);
  await store.index.buildGraph(SCOPE);
});
afterAll(() => store.close());

function add(datasetKey: number, file: number, count: number) {
  return store.add(
    Array.from({ length: count }, (_, at) => ({
      customerKey: 1,
      datasetKey,
      loaderKey: BigInt(1 + file),
      content: `${file}/${at}`,
      metadata: { draft: at % 2 === 0, rare: at === 0 },
      vector: vectors.chunk('topic', `file-${file}`, random),
    })),
  );
}

const isHere = ({ datasetKey }: { datasetKey: number }) => datasetKey === SCOPE.datasetKey;

const onTopic = () => {
  const here = store.known.filter(isHere);
  const { vector, content } = here[Math.floor(random() * here.length)] ?? here[0] ?? never();
  return vectors.question(vector, 'topic', `file-${content.split('/')[0]}`, random);
};
const offTopic = () => vectors.chunk('something else', 'elsewhere', random);

async function recallOf(
  ask: () => Float32Array,
  { filters = [], hasGraph = true }: { filters?: Filter[]; hasGraph?: boolean } = {},
) {
  let [right, expected] = [0, 0];
  for (let question = 0; question < 20; question++) {
    const search = { ...SCOPE, vector: ask(), filters, limit: LIMIT };
    const best = store.expected(search);
    const hits = await store.index.search({ ...search, chunkCount: SIZE, hasGraph });
    expect(hits).toHaveLength(best.length);
    right += rightOnes(hits, best);
    expected += best.length;
  }
  return right / expected;
}

it('finds nearly all, and is never short', async () => {
  expect(await recallOf(onTopic)).toBeGreaterThanOrEqual(0.95);
  expect(await recallOf(offTopic)).toBeGreaterThanOrEqual(0.95);
});

it('changes nothing for searches with filters, or without the graph', async () => {
  const filters: Filter[] = [{ key: 'rare', match: { value: true } }];
  expect(await recallOf(onTopic, { filters })).toBe(1);
  expect(await recallOf(onTopic, { hasGraph: false })).toBeGreaterThanOrEqual(0.999);
  expect(await recallOf(offTopic, { hasGraph: false })).toBeGreaterThanOrEqual(0.995);
});

it('knows what is added, and nothing that is removed', async () => {
  await add(1, 50, 40);
  const added = store.known.filter(({ content }) => content.startsWith('50/'));
  const vector = added[7]?.vector ?? never();
  const search = { ...SCOPE, vector, filters: [], limit: 5, chunkCount: SIZE, hasGraph: true };
  const [nearest] = await store.index.search(search);
  expect(nearest?.pageContent).toBe('50/7');
  await store.remove(1, 51n);
  const hits = await store.index.search(search);
  expect(hits).toHaveLength(5);
  expect(hits.filter(({ pageContent }) => pageContent.startsWith('50/'))).toEqual([]);
});

it('tells how it compares', async () => {
  const compared = await store.index.compareGraph({ ...SCOPE, chunkCount: SIZE }, 10);
  expect(compared.questions).toBe(10);
  expect(compared.recall).toBeGreaterThan(0.9);
  expect(compared.recall).toBeLessThanOrEqual(1);
  expect(compared.milliseconds.with).toBeGreaterThan(0);
});

it('can be built anew and removed; searches that still count on it are right', async () => {
  const graphs = async () => {
    const { rows } = await store.pool.query(
      `SELECT indexrelid::regclass::text AS name, indisvalid AS valid
       FROM pg_index WHERE indexrelid::regclass::text LIKE 'chunk_graph%'`,
    );
    return rows;
  };
  await store.index.buildGraph(SCOPE);
  expect(await graphs()).toEqual([{ name: 'chunk_graph_1', valid: true }]);
  await store.index.dropGraph(1);
  await store.index.dropGraph(1);
  expect(await graphs()).toEqual([]);
  expect(await recallOf(offTopic)).toBeGreaterThanOrEqual(0.995);
});

function never(): never {
  throw new Error('there are chunks');
}
