import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { FAMILIES, type Family } from '../support/vectors.ts';
import { barChart } from './report/bar-chart.ts';
import { figure, median, quantile, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { openScratchDatabase } from './report/scratch-database.ts';
import { createCorpus, FILTERS } from './retrieval/corpus.ts';
import { createOurs, createStock, type Store } from './retrieval/stores.ts';
import { createTruth } from './retrieval/truth.ts';

/* How quickly, and how well, chunks are found: our store and LangChain's, in turn. */

const LIMIT = 10;
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    table: { type: 'string', default: '20000' },
    questions: { type: 'string', default: '40' },
    family: { type: 'string', default: 'clustered' },
    filters: { type: 'string', default: Object.keys(FILTERS).join(',') },
    'stock-every': { type: 'string', default: '4' },
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
  const stores = [await createOurs(pool), ...(stockEvery > 0 ? [await createStock(pool)] : [])];
  const [ours, stock] = stores;

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
  for (const { table } of stores) await pool.query(`VACUUM ANALYZE ${table}`);

  const rows: Record<string, string>[] = [];
  const groups: { name: string; values: (number | undefined)[] }[] = [];
  for (const [dataset, size] of sizes.entries()) {
    const other = dataset === 0 ? sizes.length - 1 : 0;
    const about = { 'on topic': dataset, 'off topic': sizes.length > 1 ? other : dataset };
    for (const filterName of options.filters.split(',')) {
      const filter = FILTERS[filterName];
      if (!filter) throw new Error(`--filters are of ${Object.keys(FILTERS)}`);
      for (const [topic, aboutDataset] of Object.entries(about)) {
        if (topic === 'off topic' && sizes.length === 1) continue;
        const measured = new Map(
          stores.map((store) => [store, { ms: [] as number[], right: 0, of: 0, short: 0 }]),
        );
        const known = truth.chunksOf(aboutDataset);
        for (let asked = -3; asked < Number(options.questions); asked++) {
          const vector = corpus.question(aboutDataset, corpus.choose(known));
          const expected = truth.nearest(dataset, vector, filter, LIMIT);
          for (const [store, sums] of measured) {
            if (store === stock && asked % stockEvery !== 0) continue;
            const question = { dataset, chunkCount: size, vector, filter, limit: LIMIT };
            const [ms, found] = await timed(() => store.search(question));
            if (asked < 0) continue;
            sums.ms.push(ms);
            sums.of += expected.length;
            sums.right += found.filter((name) => expected.includes(name)).length;
            if (found.length < expected.length) sums.short++;
          }
        }
        const of = (store: Store | undefined) =>
          (store && measured.get(store)) ?? { ms: [], right: 0, of: 0, short: 0 };
        const [our, its] = [of(ours), of(stock)];
        rows.push({
          'chunks in dataset': size.toLocaleString('en'),
          question: topic,
          filter: filterName,
          'filequery p50 / p99 ms': `${figure(median(our.ms))} / ${figure(quantile(our.ms, 0.99))}`,
          'recall@10': (our.right / our.of).toFixed(4),
          short: String(our.short),
          'PGVectorStore p50 / p99 ms': `${figure(median(its.ms))} / ${figure(quantile(its.ms, 0.99))}`,
          'its recall@10': its.of ? (its.right / its.of).toFixed(4) : '–',
          ratio: its.ms.length ? `${figure(median(its.ms) / median(our.ms))}×` : '–',
        });
        groups.push({
          name: `${size.toLocaleString('en')}, ${topic}${filterName === 'none' ? '' : `, ${filterName}`}`,
          values: [our, its].map(({ ms }) => (ms.length ? median(ms) : undefined)),
        });
      }
    }
  }

  for (const store of stores) store.close();

  const storage: Record<string, string>[] = [];
  for (const store of stores) {
    const { rows: found } = await pool.query(
      `SELECT pg_total_relation_size('${store.table}')::float8 AS bytes`,
    );
    storage.push({
      store: store.name,
      'bytes a chunk': figure(found[0].bytes / chunkCount),
      'chunks inserted a second': figure((1000 * chunkCount) / (loading.get(store) ?? 0)),
    });
  }
  const table = [
    `${kind}, ${family} vectors, ${chunkCount.toLocaleString('en')} chunks in the table, ${options.questions} questions a row`,
    markdownTable(rows),
    markdownTable(storage),
  ].join('\n\n');
  console.log(table);
  if (options.out) {
    await mkdir(dirname(options.out), { recursive: true });
    await writeFile(`${options.out}.md`, `${table}\n`);
    const title = `Time of a search, median of ${options.questions} (${kind})`;
    await writeFile(
      `${options.out}.svg`,
      barChart({ title, unit: 'ms', series: stores.map(({ name }) => name), groups }),
    );
  }
}
