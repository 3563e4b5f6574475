import { parseArgs } from 'node:util';
import type { Database } from '../../src/adapters/postgres/database.ts';
import { readConfig } from '../../src/config/config.ts';
import { VECTOR_KINDS, type VectorKind } from '../support/vectors.ts';
import { type BarChart, barChart } from './report/bar-chart.ts';
import { figure, median, quantile, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { openScratchDatabase } from './report/scratch-database.ts';
import { createCorpus, FILTERS } from './retrieval/corpus.ts';
import { measureSearches, recallOf, type Searches } from './retrieval/measure.ts';
import {
  createDistributed,
  createForgetful,
  createOurs,
  createStock,
  type Store,
} from './retrieval/stores.ts';
import { createTruth } from './retrieval/truth.ts';

/* How quickly, and how well, chunks are found: our store and LangChain's, or ours without memory, in turn. */

const LIMIT = 10;
/** Of a store that was not asked. */
const NONE: Searches = { ms: [], expected: 0, right: 0, short: 0 };
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    table: { type: 'string', default: '20000' },
    questions: { type: 'string', default: '40' },
    // Of each kind of question, so many are compared with what all vectors say; default: all.
    checked: { type: 'string', default: 'Infinity' },
    vectors: { type: 'string', default: 'clustered' },
    filters: { type: 'string', default: Object.keys(FILTERS).join(',') },
    'stock-every': { type: 'string', default: '4' },
    against: { type: 'string', default: 'stock' },
    memory: { type: 'string', default: String(readConfig({}).searchMemoryBytes / 1e6) },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);
const kinds = options.vectors.split(',') as VectorKind[];
if (!kinds.every((kind) => VECTOR_KINDS.includes(kind))) {
  throw new Error(`--vectors are of ${VECTOR_KINDS}`);
}
const stockEvery = Number(options['stock-every']);

type Row = Record<string, string>;
const rows: Row[] = [];
const storage: Row[] = [];
const groups: BarChart['groups'] = [];
const names = new Set<string>();
let place = '';
for (const kind of kinds) {
  const database = await openScratchDatabase();
  place = database.kind;
  try {
    await bench(database, kind);
  } finally {
    await database.close();
  }
}
const inTable = datasetSizes()
  .reduce((sum, size) => sum + size, 0)
  .toLocaleString('en');
const report = [
  `${place}, ${inTable} chunks in the table, ${options.questions} questions a row`,
  markdownTable(rows),
  markdownTable(storage),
].join('\n\n');
const title = `Time of a search, median of ${options.questions} (${place})`;
await publish(report, options.out, barChart({ title, unit: 'ms', series: [...names], groups }));

async function bench(database: Database, kind: VectorKind) {
  const { pool } = database;
  const corpus = createCorpus(datasetSizes(), kind, Number(options.seed));
  const truth = createTruth(place === 'PostgreSQL');
  const ours = await createOurs(database, 1e6 * Number(options.memory));
  const other = await createOther(database);
  const stores = other ? [ours, other] : [ours];
  for (const { name } of stores) names.add(name);

  const loading = new Map<Store, number>();
  let chunkCount = 0;
  for (const file of corpus.files()) {
    if (file.dataset < sizes.length) truth.keep(file);
    chunkCount += file.chunks.length;
    for (const store of stores) {
      const [took] = await timed(() => store.add(file));
      loading.set(store, (loading.get(store) ?? 0) + took);
    }
  }
  for (const store of stores) {
    let bytes = 0;
    for (const table of store.tables) {
      await pool.query(`VACUUM ANALYZE ${table}`);
      const found = await pool.query(`SELECT pg_total_relation_size('${table}')::float8 AS bytes`);
      bytes += found.rows[0].bytes;
    }
    storage.push({
      vectors: kind,
      store: store.name,
      'bytes a chunk': figure(bytes / chunkCount || Number.NaN),
      'chunks inserted a second': figure((1000 * chunkCount) / (loading.get(store) ?? 0)),
    });
  }

  for (const { dataset, size, about, topic, filterName, filters } of kindsOfQuestion()) {
    const known = truth.chunksOf(about);
    const ask = (number: number) => {
      const vector = corpus.question(about, corpus.choose(known));
      const question = { dataset, chunkCount: size, vector, filters, limit: LIMIT };
      const isChecked = number >= 0 && number < Number(options.checked);
      return {
        question,
        expected: isChecked ? truth.nearest(dataset, vector, filters, LIMIT) : undefined,
      };
    };
    const measured = await measureSearches(stores, Number(options.questions), ask, (store) =>
      store === other && options.against === 'stock' ? stockEvery : 1,
    );
    const [our, its] = [measured.get(ours) ?? NONE, (other && measured.get(other)) ?? NONE];
    rows.push({
      vectors: kind,
      'chunks in dataset': size.toLocaleString('en'),
      question: topic,
      filter: filterName,
      'filequery p50 / p99 ms': times(our),
      'recall@10': recallOf(our).toFixed(4),
      short: String(our.short),
      ...(other && {
        [`${other.name} p50 / p99 ms`]: times(its),
        'its recall@10': recallOf(its).toFixed(4),
        ratio: `${figure(median(its.ms) / median(our.ms))}×`,
      }),
    });
    const name = [kind, size.toLocaleString('en'), topic, filterName];
    groups.push({
      name: name
        .filter((part) => part !== 'none' && (kinds.length > 1 || part !== kind))
        .join(', '),
      values: [median(our.ms), other && median(its.ms)],
    });
  }
  for (const store of stores) store.close();
}

/** The datasets that are asked, and others of 1,000 chunks that fill the table. */
function datasetSizes(): number[] {
  const rest = Math.max(0, Number(options.table) - sizes.reduce((sum, size) => sum + size, 0));
  return [...sizes, ...Array.from({ length: Math.floor(rest / 1000) }, () => 1000)];
}

/** What ours is compared with. */
async function createOther(database: Database): Promise<Store | undefined> {
  switch (options.against) {
    case 'stock':
      return createStock(database.pool);
    case 'without-memory':
      return createForgetful(database);
    case 'citus':
      return createDistributed(1e6 * Number(options.memory));
    case 'nothing':
      return undefined;
    default:
      throw new Error('--against is stock, without-memory, citus or nothing');
  }
}

/** Every dataset, asked about itself and about another, with every filter. */
function* kindsOfQuestion() {
  for (const [dataset, size] of sizes.entries()) {
    for (const filterName of options.filters.split(',')) {
      const filters = FILTERS[filterName];
      if (!filters) throw new Error(`--filters are of ${Object.keys(FILTERS)}`);
      const question = { dataset, size, filterName, filters };
      yield { ...question, topic: 'on topic', about: dataset };
      if (sizes.length === 1) continue;
      yield { ...question, topic: 'off topic', about: dataset === 0 ? sizes.length - 1 : 0 };
    }
  }
}

function times({ ms }: Searches): string {
  return `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`;
}
