import { randomUUID } from 'node:crypto';
import { PGVectorStore } from '@langchain/community/vectorstores/pgvector';
import { Document } from '@langchain/core/documents';
import type { Pool } from 'pg';
import { type Database, openDatabase } from '../../../src/adapters/postgres/database.ts';
import { createSearchMemory } from '../../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../../src/adapters/vectors/pgvector-index.ts';
import { readConfig } from '../../../src/config/config.ts';
import { hashApiKey } from '../../../src/use-cases/accounts/authenticate.ts';
import type { ScratchPlace } from '../report/scratch-place.ts';
import { randomVectors } from './vectors.ts';

/** Files of the datasets that are listed. */
export const LISTS = [10, 1000, 10_000];
/** The dataset that is asked. */
export const ASKED = 'docs';
export const STOCK_TABLE = 'stock';

const CHUNKS = 1000;
const MODEL = 'text-embedding-3-small';
const SENTENCE = 'The gateway keeps every file of a dataset with its record and its stored copy. ';

/** Fills a place as `seed` does, and leaves its database to whoever comes next. */
export async function seedPlace(
  { settings }: Pick<ScratchPlace, 'settings'>,
  apiKey = `fq_${randomUUID()}`,
) {
  const { database } = readConfig(settings);
  const opened = await openDatabase(
    database.kind === 'embedded' ? { ...database, share: false } : database,
  );
  try {
    return await seed(opened, apiKey);
  } finally {
    await opened.close();
  }
}

/** A customer with datasets of files, and one of chunks, in our tables and in LangChain's. */
async function seed(
  database: Database,
  apiKey: string,
): Promise<{ apiKey: string; fileId: string }> {
  const { pool } = database;
  await pool.query(
    `INSERT INTO customer (key, id, name) VALUES (1, 'bench', 'bench');
    INSERT INTO balance (customer_key, credits) VALUES (1, 1e9)`,
  );
  await pool.query(
    'INSERT INTO api_key (customer_key, id, hash, prefix) VALUES (1, gen_random_uuid(), $1, $2)',
    [hashApiKey(apiKey), 'fq_'],
  );
  for (const count of LISTS) await addFiles(pool, `list-${count}`, count);
  await addChunks(database);
  await pool.query('VACUUM ANALYZE');
  const { rows } = await pool.query(
    'SELECT id FROM file WHERE customer_key = 1 AND dataset_id = $1 ORDER BY id LIMIT 1',
    [`list-${LISTS[0]}`],
  );
  return { apiKey, fileId: rows[0].id };
}

async function addFiles(pool: Pool, datasetId: string, count: number): Promise<void> {
  await pool.query('INSERT INTO dataset (customer_key, id, embedding_model) VALUES (1, $1, $2)', [
    datasetId,
    MODEL,
  ]);
  await pool.query(
    `INSERT INTO file (customer_key, id, dataset_id, loader_key, path, original_name, extension,
       mime_type, size, extra_meta, created)
     SELECT 1, id, $1, (random() * 9e18)::bigint,
       'customers/bench/datasets/' || $1 || '/' || id || '-report-' || at || '.pdf',
       'report-' || at || '.pdf', '.pdf', 'application/pdf', 100000 + at,
       jsonb_build_object('year', 2000 + at % 25, 'author', 'author-' || at % 100, 'draft', at % 2 = 0),
       now() - at * interval '1 second'
     FROM (SELECT md5($1 || at)::uuid AS id, at FROM generate_series(1, $2::int) AS at) AS file`,
    [datasetId, count],
  );
}

async function addChunks({ pool, query }: Database): Promise<void> {
  await pool.query(
    `INSERT INTO dataset (customer_key, id, key, embedding_model) VALUES (1, $1, 1000, $2)`,
    [ASKED, MODEL],
  );
  const fileId = randomUUID();
  const chunks = Array.from({ length: CHUNKS }, (_, position) => ({
    position,
    content: `${position}. ${SENTENCE.repeat(12)}`,
    metadata: { fileId, originalName: 'handbook.txt', datasetId: ASKED, page: 1 + (position >> 2) },
  }));
  const [, ...vectors] = randomVectors(1 + CHUNKS);
  const index = await createPgvectorIndex({
    pool,
    query,
    cache: createSearchMemory(pool, { bytes: 0 }),
    embeddings: NONE,
  });
  await index.add({ customerKey: 1, datasetKey: 1000, loaderKey: 1n }, chunks, vectors);

  const stock = await PGVectorStore.initialize({} as never, {
    pool,
    tableName: STOCK_TABLE,
    distanceStrategy: 'cosine',
    dimensions: 1536,
  });
  await stock.addVectors(
    vectors.map((vector) => Array.from(vector)),
    chunks.map(({ content, metadata }) => new Document({ pageContent: content, metadata })),
  );
  // It keeps a connection for itself.
  stock.client?.release();
}

/** Vectors are given, never made. */
export const NONE = {
  name: MODEL,
  embedQuestion: () => Promise.reject(new Error('no question is embedded here')),
  embedTexts: () => Promise.reject(new Error('no text is embedded here')),
  check: async () => {},
};
