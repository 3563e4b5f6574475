import { parseArgs } from 'node:util';
import { createSearchMemory } from '../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../src/adapters/vectors/pgvector-index.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Filter } from '../../src/core/filter.ts';
import { SEARCH_MODES, type SearchMode } from '../../src/core/search-mode.ts';
import { createTextCorpus } from './keywords/corpus.ts';
import { createKeywordTruth } from './keywords/truth.ts';
import { figure, median, quantile, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { openScratchDatabase } from './report/scratch-database.ts';
import { FILTERS } from './retrieval/corpus.ts';
import { NO_EMBEDDINGS } from './retrieval/stores.ts';

/* How quickly chunks are found by words, by vectors and by both, in memory and without, and how far BM25 is the true one. */

const LIMIT = 10;
const WARM_UP = 3;
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    questions: { type: 'string', default: '60' },
    filters: { type: 'string', default: Object.keys(FILTERS).join(',') },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);

const database = await openScratchDatabase();
try {
  await bench();
} finally {
  await database.close();
}

async function bench() {
  const { pool, kind } = database;
  const corpus = createTextCorpus(sizes, Number(options.seed));
  const truth = createKeywordTruth();
  const remembering = await openIndex(readConfig({}).searchMemoryBytes);
  const forgetful = await openIndex(0);

  await pool.query(`INSERT INTO customer (key, id, name) VALUES (1, 'bench', 'bench')`);
  for (const dataset of sizes.keys()) {
    await pool.query(
      `INSERT INTO dataset (customer_key, id, key, embedding_model) VALUES (1, $1, $2, 'none')`,
      [`dataset-${dataset}`, dataset + 1],
    );
  }
  for (const file of corpus.files()) {
    truth.keep(file);
    const scope = { customerKey: 1, datasetKey: file.dataset + 1, loaderKey: file.loaderKey };
    await remembering.index.add(scope, file.chunks, file.vectors);
  }
  await pool.query('VACUUM ANALYZE chunk');
  await pool.query('VACUUM ANALYZE chunk_index');

  const rows: Record<string, string>[] = [];
  for (const [dataset, size] of sizes.entries()) {
    for (const filterName of options.filters.split(',')) {
      const filters = FILTERS[filterName];
      if (!filters) throw new Error(`--filters are of ${Object.keys(FILTERS)}`);
      const seen = await ask(dataset, size, filters);
      for (const mode of SEARCH_MODES) {
        rows.push({
          'chunks in dataset': size.toLocaleString('en'),
          filter: filterName,
          mode,
          'p50 / p99 ms': times(seen.remembering[mode]),
          'without memory': times(seen.forgetful[mode]),
          'overlap@10 with true BM25': mode === 'keyword' ? overlapOf(seen) : '–',
          short: mode === 'keyword' ? '–' : String(seen.short[mode]),
        });
      }
    }
  }
  const report = [
    `${kind}, ${options.questions} questions of 4 to 10 words a row`,
    markdownTable(rows),
    markdownTable([await sizesOf()]),
  ].join('\n\n');
  await publish(report, options.out);

  /** The same questions in every mode, of both indexes in turn. */
  async function ask(dataset: number, size: number, filters: Filter[]) {
    const seen = {
      remembering: { vector: [], keyword: [], hybrid: [] } as Record<SearchMode, number[]>,
      forgetful: { vector: [], keyword: [], hybrid: [] } as Record<SearchMode, number[]>,
      short: { vector: 0, keyword: 0, hybrid: 0 },
      expected: 0,
      right: 0,
    };
    const scope = { customerKey: 1, datasetKey: dataset + 1, chunkCount: size, filters };
    const most = Math.min(LIMIT, truth.count(dataset, filters));
    for (let at = -WARM_UP; at < Number(options.questions); at++) {
      const asked = corpus.question(dataset, corpus.choose(truth.chunksOf(dataset)));
      if (at === 0) await remembering.memory.waitForReads();
      for (const name of ['remembering', 'forgetful'] as const) {
        const { index } = { remembering, forgetful }[name];
        for (const mode of SEARCH_MODES) {
          const [ms, hits] = await timed(() =>
            index.search({ ...scope, ...asked, mode, limit: LIMIT }),
          );
          if (at < 0) continue;
          seen[name][mode].push(ms);
          if (hits.length < most) seen.short[mode]++;
          if (mode !== 'keyword') continue;
          const expected = truth.best(dataset, asked.question, filters, LIMIT);
          const contents = new Set(hits.map(({ pageContent }) => pageContent));
          seen.expected += expected.length;
          seen.right += expected.filter(({ content }) => contents.has(content)).length;
        }
      }
    }
    return seen;
  }

  async function sizesOf(): Promise<Record<string, string>> {
    const { rows } = await pool.query<{ chunks: number; index: number; terms: number }>(
      `SELECT count(*)::int AS chunks, avg(pg_column_size(terms))::float8 AS terms,
        pg_total_relation_size('chunk_index')::float8 AS index FROM chunk_index`,
    );
    const [{ chunks, index, terms } = { chunks: 0, index: 0, terms: 0 }] = rows;
    const { rows: table } = await pool.query<{ bytes: number }>(
      `SELECT pg_total_relation_size('chunk')::float8 AS bytes`,
    );
    return {
      'bytes a chunk': figure((index + (table[0]?.bytes ?? 0)) / chunks),
      'of them chunk_index': figure(index / chunks),
      'of them terms': figure(terms),
    };
  }
}

async function openIndex(bytes: number) {
  const { pool, query } = database;
  const memory = createSearchMemory(pool, { bytes });
  const parts = { pool, query, cache: memory, embeddings: NO_EMBEDDINGS };
  return { memory, index: await createPgvectorIndex(parts) };
}

function times(ms: number[]): string {
  return `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`;
}

function overlapOf({ right, expected }: { right: number; expected: number }): string {
  return (right / expected).toFixed(4);
}
