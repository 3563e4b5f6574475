import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyMigrations } from '../../../src/adapters/postgres/apply-migrations.ts';
import { readMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { readVectorEncoding } from '../../../src/adapters/vectors/vector-encoding.ts';
import type { Filter } from '../../../src/core/filter.ts';
import { type ServedDatabase, serveDatabase } from '../../support/served-database.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';
import { addAsBefore, FIRST_INDEX_MIGRATION } from '../../support/version-before.ts';
import { type Known, openIndex, rightOnes, SMALL_THRESHOLDS } from './support.ts';

/* A database of the version before chunks had rows in `chunk_index`, opened by this one. */

const SIZE = 600;
const FILE = 50;
const [FIRST_KEY, SECOND_KEY] = [1, 2];
const LIMIT = 10;

const vectors = createVectors('heavy-tailed');
const random = createRandom(3);
const never = new AbortController().signal;

let database: ServedDatabase;
let store: Awaited<ReturnType<typeof openIndex>>;

beforeAll(async () => {
  database = await serveDatabase({ tables: false });
  const pool = new Pool({ ...database.connection, max: 1 });
  const migrations = await readMigrations();
  await applyMigrations(
    pool,
    migrations.filter(({ name }) => name < FIRST_INDEX_MIGRATION),
  );
  await pool.query(
    `INSERT INTO customer (key, id, name) VALUES (1, 'old', 'old');
    INSERT INTO dataset (customer_key, id, key, embedding_model, second_key, second_model)
    VALUES (1, 'old', ${FIRST_KEY}, 'one', ${SECOND_KEY}, 'another')`,
  );
  const known: Known[] = [];
  for (let file = 1; file <= SIZE / FILE; file++) {
    known.push(...(await addFileAsBefore(pool, BigInt(file), FIRST_KEY)));
  }
  // On their way to another model.
  known.push(...(await addFileAsBefore(pool, 1n, SECOND_KEY)));
  await pool.end();
  store = await openIndex(SMALL_THRESHOLDS, { bytes: 10e6 }, database);
  store.known.push(...known);
});
afterAll(async () => {
  await store.close();
});

/** Adds a file's chunks as the version before did. */
async function addFileAsBefore(
  pool: Pool,
  loaderKey: bigint,
  datasetKey: number,
): Promise<Known[]> {
  const file = { customerKey: 1, datasetKey, loaderKey };
  const chunks = Array.from({ length: FILE }, (_, position) => ({
    ...file,
    position,
    content: `${loaderKey}/${position}${position === 0 ? ' is about a lighthouse' : ''}`,
    metadata: { third: position % 3 === 0 },
    vector: vectors.chunk('topic', `file-${loaderKey}`, random),
  }));
  await addAsBefore(
    { pool, encoding: await readVectorEncoding(pool) },
    file,
    chunks,
    chunks.map(({ vector }) => vector),
  );
  return chunks;
}

async function findsAll(): Promise<void> {
  const filtered: Filter[] = [{ key: 'third', match: { value: true } }];
  for (const filters of [[], filtered]) {
    const about = store.known[Math.floor(SIZE * random())]?.vector ?? new Float32Array(1536);
    const vector = vectors.question(about, 'topic', 'file-1', random);
    const scope = { customerKey: 1, datasetKey: FIRST_KEY, chunkCount: SIZE };
    const search = { ...scope, vector, filters, limit: LIMIT };
    const hits = await store.index.search(search);
    expect(hits).toHaveLength(LIMIT);
    expect(rightOnes(hits, store.expected(search))).toBe(LIMIT);
  }
}

/** The first chunk of each file has a word that no other has. */
async function foundByKeyword(): Promise<string[]> {
  const hits = await store.index.search({
    ...{ customerKey: 1, datasetKey: FIRST_KEY, chunkCount: SIZE },
    ...{ question: 'lighthouses', mode: 'keyword', filters: [], limit: 50 },
    vector: vectors.chunk('topic', 'file-1', random),
  });
  return hits.map(({ pageContent }) => pageContent).sort();
}

function firstChunks(): string[] {
  return store.known
    .filter(({ datasetKey, content }) => datasetKey === FIRST_KEY && content.includes('lighthouse'))
    .map(({ content }) => content)
    .sort();
}

async function isRemembered(): Promise<boolean> {
  const scope = { customerKey: 1, datasetKey: FIRST_KEY, chunkCount: SIZE };
  store.cache.has(scope);
  await store.cache.waitForReads();
  return store.cache.has(scope);
}

async function indexed(): Promise<number> {
  const { rows } = await store.pool.query('SELECT count(*)::int AS count FROM chunk_index');
  return rows[0].count;
}

it('before anything is indexed, searches find what they should, and memory keeps out', async () => {
  expect(await indexed()).toBe(0);
  expect(await isRemembered()).toBe(false);
  await findsAll();
});

it('they do while chunks are indexed, and when that ends half-way', async () => {
  const half = new AbortController();
  const work = store.index.complete(half.signal).catch((error: unknown) => error);
  do await findsAll();
  while ((await indexed()) < SIZE / 4);
  half.abort();
  expect(await work).toMatchObject({ name: 'AbortError' });
  expect(await indexed()).toBeLessThan(SIZE);
  await findsAll();
});

it('two gateways at once index the rest, each chunk once', async () => {
  const left = SIZE + FILE - (await indexed());
  const counts = await Promise.all([store.index.complete(never), store.index.complete(never)]);
  expect(counts[0] + counts[1]).toBe(left);
  expect(await indexed()).toBe(SIZE + FILE);
  await expect.poll(isRemembered, { timeout: 10_000 }).toBe(true);
  await findsAll();
  expect(await store.index.complete(never)).toBe(0);
});

it('a search by keywords finds what was stored before', async () => {
  expect(firstChunks()).toHaveLength(SIZE / FILE);
  expect(await foundByKeyword()).toEqual(firstChunks());
});

it('what a gateway of the version before removes and adds meanwhile is right too', async () => {
  await store.pool.query('DELETE FROM chunk WHERE customer_key = 1 AND loader_key = 2');
  await store.pool.query(`UPDATE dataset SET chunk_count = chunk_count - ${FILE}`);
  expect(await indexed()).toBe(SIZE);
  store.known.splice(FILE, FILE);
  store.known.push(...(await addFileAsBefore(store.pool, 99n, FIRST_KEY)));
  await findsAll();
  expect(await store.index.complete(never)).toBe(FILE);
  await findsAll();
  expect(await foundByKeyword()).toEqual(firstChunks());
});
