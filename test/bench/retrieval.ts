import { parseArgs } from 'node:util';
import { FAMILIES, type Family } from '../support/vectors.ts';
import { type BarChart, barChart } from './report/bar-chart.ts';
import { figure, median, quantile, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { openScratchDatabase } from './report/scratch-database.ts';
import { createCorpus, FILTERS } from './retrieval/corpus.ts';
import { measureSearches, recallOf, type Searches } from './retrieval/measure.ts';
import { createForgetful, createOurs, createStock, type Store } from './retrieval/stores.ts';
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
    family: { type: 'string', default: 'clustered' },
    filters: { type: 'string', default: Object.keys(FILTERS).join(',') },
    'stock-every': { type: 'string', default: '4' },
    against: { type: 'string', default: 'stock' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);
const family = options.family as Family;
if (!(family in FAMILIES)) throw new Error(`--family is one of ${Object.keys(FAMILIES)}`);
const stockEvery = Number(options['stock-every']);

const database = await openScratchDatabase();
try {
  await bench();
} finally {
  await database.close();
}

async function bench() {
  const { pool, kind } = database;
  const rest = Math.max(0, Number(options.table) - sizes.reduce((sum, size) => sum + size, 0));
  const all = [...sizes, ...Array.from({ length: Math.floor(rest / 1000) }, () => 1000)];
  const corpus = createCorpus(all, family, Number(options.seed));
  const truth = createTruth();
  const ours = await createOurs(database);
  const other = await createOther();
  const stores = other ? [ours, other] : [ours];

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
  const bytesOf = new Map<Store, number>();
  for (const store of stores) {
    await pool.query(`VACUUM ANALYZE ${store.table}`);
    const { rows } = await pool.query(
      `SELECT pg_total_relation_size('${store.table}')::float8 AS bytes`,
    );
    bytesOf.set(store, rows[0].bytes);
  }

  const rows: Record<string, string>[] = [];
  const groups: BarChart['groups'] = [];
  for (const { dataset, size, about, topic, filterName, filter } of kindsOfQuestion()) {
    const known = truth.chunksOf(about);
    const ask = () => {
      const vector = corpus.question(about, corpus.choose(known));
      const question = { dataset, chunkCount: size, vector, filter, limit: LIMIT };
      return { question, expected: truth.nearest(dataset, vector, filter, LIMIT) };
    };
    const measured = await measureSearches(stores, Number(options.questions), ask, (store) =>
      store === other && options.against === 'stock' ? stockEvery : 1,
    );
    const [our, its] = [measured.get(ours) ?? NONE, (other && measured.get(other)) ?? NONE];
    rows.push({
      'chunks in dataset': size.toLocaleString('en'),
      question: topic,
      filter: filterName,
      'filequery p50 / p99 ms': times(our),
      'recall@10': recallOf(our).toFixed(4),
      short: String(our.short),
      [`${other?.name ?? 'other'} p50 / p99 ms`]: times(its),
      'its recall@10': its === NONE ? '–' : recallOf(its).toFixed(4),
      ratio: its === NONE ? '–' : `${figure(median(its.ms) / median(our.ms))}×`,
    });
    groups.push({
      name: `${size.toLocaleString('en')}, ${topic}${filterName === 'none' ? '' : `, ${filterName}`}`,
      values: [median(our.ms), its === NONE ? undefined : median(its.ms)],
    });
  }
  for (const store of stores) store.close();

  const storage: Record<string, string>[] = [];
  for (const store of stores) {
    storage.push({
      store: store.name,
      'bytes a chunk': figure((bytesOf.get(store) ?? 0) / chunkCount),
      'chunks inserted a second': figure((1000 * chunkCount) / (loading.get(store) ?? 0)),
    });
  }
  const report = [
    `${kind}, ${family} vectors, ${chunkCount.toLocaleString('en')} chunks in the table, ${options.questions} questions a row`,
    markdownTable(rows),
    markdownTable(storage),
  ].join('\n\n');
  const title = `Time of a search, median of ${options.questions} (${kind})`;
  const series = stores.map(({ name }) => name);
  await publish(report, options.out, barChart({ title, unit: 'ms', series, groups }));
}

/** What ours is compared with. */
async function createOther(): Promise<Store | undefined> {
  switch (options.against) {
    case 'stock':
      return createStock(database.pool);
    case 'without-memory':
      return createForgetful(database);
    case 'nothing':
      return undefined;
    default:
      throw new Error('--against is stock, without-memory or nothing');
  }
}

/** Every dataset, asked about itself and about another, with every filter. */
function* kindsOfQuestion() {
  for (const [dataset, size] of sizes.entries()) {
    for (const filterName of options.filters.split(',')) {
      const filter = FILTERS[filterName];
      if (!filter) throw new Error(`--filters are of ${Object.keys(FILTERS)}`);
      const question = { dataset, size, filterName, filter };
      yield { ...question, topic: 'on topic', about: dataset };
      if (sizes.length === 1) continue;
      yield { ...question, topic: 'off topic', about: dataset === 0 ? sizes.length - 1 : 0 };
    }
  }
}

function times({ ms }: Searches): string {
  return `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`;
}
