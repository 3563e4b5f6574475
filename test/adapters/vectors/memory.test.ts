import { setTimeout } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createLexicalEmbeddings } from '../../../src/adapters/models/offline/lexical-embeddings.ts';
import {
  createSearchMemory,
  type SearchMemory,
} from '../../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../../src/adapters/vectors/pgvector-index.ts';
import { SERVER_URL } from '../../support/databases.ts';
import { EFFORT } from '../../support/effort.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';
import { openIndex, rightOnes, SMALL_THRESHOLDS } from './support.ts';

/* What codes in memory know of datasets that change. */

const LIMIT = 10;
const vectors = createVectors('clustered', 5);
const random = createRandom(5);

let store: Awaited<ReturnType<typeof openIndex>>;
/** Each test has a dataset of its own, of 600 chunks. */
let datasetKey = 0;
let loaderKey = 0n;

beforeAll(async () => {
  store = await openIndex(SMALL_THRESHOLDS, { bytes: 10e6 });
});
afterAll(() => store.close());
beforeEach(async () => {
  datasetKey++;
  for (let file = 0; file < 6; file++) await add(`file-${file}`, 100);
  await warm();
});

/** The vectors of files, the same in every dataset. */
const vectorsOf = new Map<string, Float32Array[]>();

/** Adds a file about a topic. */
async function add(name: string, count: number, topic = 'topic') {
  loaderKey++;
  const made =
    vectorsOf.get(name) ?? Array.from({ length: count }, () => vectors.chunk(topic, name, random));
  vectorsOf.set(name, made);
  const added = made.map((vector, at) => ({
    customerKey: 1,
    datasetKey,
    loaderKey,
    content: `${name}/${at}`,
    metadata: {},
    vector,
  }));
  await store.add(added);
  return { loaderKey, added };
}

const scope = (chunkCount = 600) => ({ customerKey: 1, datasetKey, chunkCount });
const question = () => vectors.chunk('topic', `file-${Math.floor(6 * random())}`, random);
const searchFor = (vector: Float32Array) => ({ ...scope(), vector, filters: [], limit: LIMIT });
const search = (vector = question()) => store.index.search(searchFor(vector));

/** Waits until the codes of the dataset are in memory; what has changed is not read again at once. */
const warm = () =>
  vi.waitFor(async () => {
    if (store.cache.has(scope())) return;
    await store.cache.waitForReads();
    expect(store.cache.has(scope())).toBe(true);
  }, 30_000);

/** Whether a search finds what a comparison of every vector does, and where it looked for codes. */
async function look(vector = question()) {
  store.statements.length = 0;
  const hits = await search(vector);
  const expected = store.expected(searchFor(vector));
  return {
    isRight: rightOnes(hits, expected) === LIMIT && hits.length === LIMIT,
    isRead: store.statements.some((statement) => statement.includes('<~>')),
  };
}

it('what is added is found at once, and soon from memory again', async () => {
  expect(await look()).toEqual({ isRight: true, isRead: false });
  const { added } = await add('new', 20);
  const vector = added[7]?.vector;
  expect(await look(vector)).toEqual({ isRight: true, isRead: true });
  expect((await search(vector))[0]?.pageContent).toBe('new/7');
  await warm();
  expect(await look(vector)).toEqual({ isRight: true, isRead: false });
  expect((await search(vector))[0]?.pageContent).toBe('new/7');
});

it('what passes a filter is read once, of 20 filters that most chunks pass', async () => {
  const asked = Array.from({ length: 20 }, (_, n) => ({
    ...searchFor(question()),
    filters: [{ must_not: [{ key: 'lang', match: { any: [n] } }] }],
  }));
  for (const isAgain of [false, true]) {
    store.statements.length = 0;
    for (const one of asked) {
      const hits = await store.index.search(one);
      expect(rightOnes(hits, store.expected(one))).toBe(LIMIT);
    }
    const reads = store.statements.filter((statement) => statement.includes('int8send(key)'));
    expect(reads).toHaveLength(isAgain ? 0 : asked.length);
  }
});

it('what is removed is gone at once', async () => {
  const removed = await add('removed', 100);
  await warm();
  const vector = removed.added[0]?.vector;
  expect((await search(vector))[0]?.pageContent).toBe('removed/0');
  await store.remove(1, removed.loaderKey);
  expect(await look(vector)).toMatchObject({ isRight: true });
  for (const hit of await search(vector)) expect(hit.pageContent).not.toMatch(/^removed/);
});

it('chunks of a file on its way are not found', async () => {
  const pending = await add('pending', 20);
  await store.pool.query(
    `INSERT INTO pending_file (customer_key, loader_key, path, due) VALUES (1, $1, '', now())`,
    [pending.loaderKey],
  );
  await warm();
  const vector = pending.added[0]?.vector;
  for (const hit of await search(vector)) expect(hit.pageContent).not.toMatch(/^pending/);
  await store.pool.query('DELETE FROM pending_file WHERE loader_key = $1', [pending.loaderKey]);
  expect((await search(vector))[0]?.pageContent).toBe('pending/0');
});

it('while others are added and removed, what stays is found', async () => {
  let searching = true;
  const changing = (async () => {
    for (let file = 0; searching; file++) {
      const { loaderKey } = await add(`other-${file}`, 20, 'elsewhere');
      await store.remove(1, loaderKey);
      store.cache.has(scope());
    }
  })();
  for (let round = 0; round < 20 * EFFORT; round++) {
    const asked = Array.from({ length: 3 }, question);
    const stays = asked.map((vector) =>
      store
        .expected({ ...searchFor(vector), limit: 3 })
        .filter(({ content }) => content.startsWith('file-')),
    );
    const found = await Promise.all(asked.map((vector) => search(vector)));
    for (const [at, hits] of found.entries()) {
      const contents = hits.map(({ pageContent }) => pageContent);
      expect(contents).toEqual(
        expect.arrayContaining((stays[at] ?? []).map(({ content }) => content)),
      );
      expect(hits).toHaveLength(LIMIT);
    }
  }
  searching = false;
  await changing;
});

it('a dataset that is not there, of somebody else, or without chunks is not kept', async () => {
  for (const wrong of [
    { ...scope(), datasetKey: 999 },
    { ...scope(), customerKey: 2 },
  ]) {
    expect(store.cache.has(wrong)).toBe(false);
    if (wrong.datasetKey !== datasetKey) {
      await store.cache.waitForReads();
      expect(store.cache.has(wrong)).toBe(false);
    }
  }
});

it('keeps no more than there is room for, and what was asked last', async () => {
  const [one, another] = [datasetKey - 1, datasetKey];
  const cache = createSearchMemory(store.pool, { bytes: 800_000, idle: 2_000 });
  const keep = async (key: number, chunkCount = 600) => {
    const wanted = { customerKey: 1, datasetKey: key, chunkCount };
    cache.has(wanted);
    await cache.waitForReads();
    return cache.has(wanted);
  };
  expect(await keep(one, 6_000)).toBe(false);
  expect(await keep(one)).toBe(true);
  expect(await keep(another)).toBe(false);
  expect(await keep(one)).toBe(true);
  await vi.waitFor(async () => expect(await keep(another)).toBe(true), 10_000);
  expect(await keep(one)).toBe(false);
});

it('a dataset for which there is no room evicts no other', async () => {
  const cache = createSearchMemory(store.pool, { bytes: 800_000, idle: 0 });
  cache.has(scope());
  await cache.waitForReads();
  expect(cache.has(scope())).toBe(true);
  expect(cache.has({ ...scope(6_000), datasetKey: datasetKey - 1 })).toBe(false);
  await cache.waitForReads();
  expect(cache.has(scope())).toBe(true);
});

it('searches go on when codes cannot be read', async () => {
  const broken = Object.create(store.pool, {
    connect: { value: () => Promise.reject(new Error('broken on purpose')) },
  });
  await findsWithout(createSearchMemory(broken, { bytes: 10e6 }));
});

it('a dataset that could not be read is read another time', async () => {
  // As on a server: pg reports a failure in another way then.
  const pool = new Pool({ ...store.pool.options, query_timeout: 60_000 });
  const cache = createSearchMemory(pool, { bytes: 10e6 });
  await store.pool.query('ALTER TABLE chunk_index RENAME TO away');
  expect(cache.has(scope())).toBe(false);
  await cache.waitForReads();
  await store.pool.query('ALTER TABLE away RENAME TO chunk_index');
  await vi.waitFor(async () => {
    cache.has(scope());
    await cache.waitForReads();
    expect(cache.has(scope())).toBe(true);
  }, 10_000);
  await pool.end();
});

// All connections to an embedded database share one session, which a lock does not hold up.
it.runIf(SERVER_URL)('a dataset is read for longer than a statement may take', async () => {
  const timeouts = { statement_timeout: 200, query_timeout: 300 };
  const pool = new Pool({ ...store.pool.options, ...timeouts });
  const cache = createSearchMemory(pool, { bytes: 10e6 });
  const locking = await store.pool.connect();
  await locking.query('BEGIN; LOCK TABLE chunk_index IN ACCESS EXCLUSIVE MODE');
  cache.has(scope());
  await setTimeout(600);
  await locking.query('COMMIT');
  locking.release();
  await cache.waitForReads();
  expect(cache.has(scope())).toBe(true);
  await pool.end();
});

it('searches go on when there is no memory for codes', async () => {
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('full on purpose');
  });
  try {
    await findsWithout(createSearchMemory(store.pool, { bytes: 10e6 }));
    expect(grow).toHaveBeenCalledTimes(1);
  } finally {
    grow.mockRestore();
  }
});

/** An index finds what it should although its cache never has the codes. */
async function findsWithout(cache: SearchMemory) {
  const { pool, query, isDistributed } = store;
  const embeddings = createLexicalEmbeddings();
  const thresholds = SMALL_THRESHOLDS;
  const index = await createPgvectorIndex({
    ...{ pool, query, cache, embeddings, thresholds, isDistributed },
  });
  for (let round = 0; round < 2; round++) {
    const search = searchFor(question());
    const hits = await index.search(search);
    expect(rightOnes(hits, store.expected(search))).toBe(LIMIT);
    await cache.waitForReads();
    expect(cache.has(scope())).toBe(false);
  }
}
