import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { applyMigrations } from '../../src/adapters/postgres/apply-migrations.ts';
import { createPool } from '../../src/adapters/postgres/create-pool.ts';
import { readMigrations } from '../../src/adapters/postgres/migrations.ts';
import { createQuery } from '../../src/adapters/postgres/query.ts';
import { createSearchMemory } from '../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../src/adapters/vectors/pgvector-index.ts';
import { readVectorEncoding } from '../../src/adapters/vectors/vector-encoding.ts';
import { addAsBefore, FIRST_INDEX_MIGRATION } from '../support/version-before.ts';
import { createTextCorpus, type TextFile } from './keywords/corpus.ts';
import { figure, median, quantile, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace } from './report/scratch-place.ts';
import { NO_EMBEDDINGS } from './retrieval/stores.ts';

/*
 * How long it takes to insert chunks, and how long it took before `chunk_index`: the same files, in
 * turn. Each version inserts as its gateway does; only today's prepares its statements.
 */

const WARM_UP = 20;
const { values: options } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    out: { type: 'string' },
  },
});

/** A version of the tables, and the way to add a file to them. */
interface Version {
  name: string;
  pool: Pool;
  add(file: TextFile): Promise<void>;
  close(): Promise<void>;
}

const before = await openVersion('before', (name) => name < FIRST_INDEX_MIGRATION);
const now = await openVersion('now', () => true);
const encoding = await readVectorEncoding(before.pool);
const index = await createPgvectorIndex({
  pool: now.pool,
  query: createQuery(now.pool),
  cache: createSearchMemory(now.pool, { bytes: 0 }),
  embeddings: NO_EMBEDDINGS,
});
const versions: Version[] = [
  {
    ...before,
    add: ({ loaderKey, chunks, vectors }) =>
      addAsBefore(
        { pool: before.pool, encoding },
        { customerKey: 1, datasetKey: 1, loaderKey },
        chunks,
        vectors,
      ),
  },
  {
    ...now,
    add: ({ loaderKey, chunks, vectors }) =>
      index.add({ customerKey: 1, datasetKey: 1, loaderKey }, chunks, vectors),
  },
];
try {
  await publish(await measure(), options.out);
} finally {
  for (const { close } of versions) await close();
}

async function measure(): Promise<string> {
  const measured = new Map(versions.map((version) => [version, [] as number[]]));
  let files = 0;
  for (const file of createTextCorpus([Number(options.chunks)]).files()) {
    files++;
    // Each is the first one of two as often as the other.
    const turns = files % 2 === 0 ? versions : versions.toReversed();
    for (const version of turns) {
      const [ms] = await timed(() => version.add(file));
      if (files > WARM_UP) measured.get(version)?.push(ms / file.chunks.length);
    }
  }
  const msBefore = median(measured.get(versions[0] as Version) ?? []);
  const rows = [...measured].map(([{ name }, ms]) => ({
    version: name,
    'p50 / p99 ms a chunk': `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`,
    'chunks a second': figure(1000 / median(ms)),
    ratio: `${figure(median(ms) / msBefore)}×`,
  }));
  return [
    `PostgreSQL, ${files} files of 100 chunks, one after the other`,
    markdownTable(rows),
  ].join('\n\n');
}

/** Tables of a version, made by its migrations. */
async function openVersion(name: string, has: (migration: string) => boolean) {
  const place = await createScratchPlace();
  if (place.kind !== 'PostgreSQL')
    throw new Error('DATABASE_URL leads to the server to measure on');
  const pool = createPool(place.connection);
  await pool.query('CREATE EXTENSION IF NOT EXISTS vector');
  const migrations = await readMigrations();
  await applyMigrations(
    pool,
    migrations.filter((migration) => has(migration.name)),
  );
  await pool.query(
    `INSERT INTO customer (key, id, name) VALUES (1, 'bench', 'bench');
    INSERT INTO dataset (customer_key, id, key, embedding_model) VALUES (1, 'bench', 1, 'none')`,
  );
  return {
    name,
    pool,
    async close() {
      await pool.end();
      await place.remove();
    },
  };
}
