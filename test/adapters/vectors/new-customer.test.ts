import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_URL } from '../../support/databases.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';
import { openIndex } from './support.ts';

/* The first searches of a customer whose chunks came after PostgreSQL last collected its statistics. */

const CHUNKS = 1_500;
const vectors = createVectors('clustered', 9);
const random = createRandom(9);

let store: Awaited<ReturnType<typeof openIndex>>;
let loaderKey = 0n;

beforeAll(async () => {
  store = await openIndex();
  for (const customerKey of [1, 2, 3]) await add(customerKey, 100);
  await store.pool.query('ANALYZE');
  await add(4, CHUNKS);
});
afterAll(() => store.close());

/** Adds files of a hundred chunks. */
async function add(customerKey: number, count: number) {
  for (let from = 0; from < count; from += 100) {
    loaderKey++;
    const chunks = Array.from({ length: 100 }, (_, at) => ({
      customerKey,
      datasetKey: customerKey,
      loaderKey,
      content: `battery ${from + at}`,
      metadata: {},
      vector: vectors.chunk('topic', 'file', random),
    }));
    await store.add(chunks);
  }
}

// A server counts the rows of each connection, and sums them up later.
test.skipIf(SERVER_URL).each(['vector', 'keyword'] as const)(
  '%s: the chunks are read once, not for each hit',
  async (mode) => {
    const scope = { customerKey: 4, datasetKey: 4, chunkCount: CHUNKS, filters: [] };
    const vector = vectors.chunk('topic', 'file', random);
    const before = await chunksRead();
    const hits = await store.index.search({
      ...scope,
      vector,
      question: 'battery',
      mode,
      limit: 50,
    });
    expect(hits).toHaveLength(50);
    expect((await chunksRead()) - before).toBeLessThan(3 * CHUNKS);
  },
);

/** How many rows of `chunk` statements have read so far. */
async function chunksRead(): Promise<number> {
  await store.pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_user_tables WHERE relname = 'chunk'`,
  );
  return rows[0]?.count ?? 0;
}
