import { parseArgs } from 'node:util';
import type { Filter } from '../../src/core/filter.ts';
import { figure, median, quantile, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { openScratchDatabase } from './report/scratch-database.ts';
import { createCorpus } from './retrieval/corpus.ts';
import { measureSearches, recallOf, type Searches } from './retrieval/measure.ts';
import { createForgetful, createOurs, type StoreQuestion } from './retrieval/stores.ts';
import { createTruth } from './retrieval/truth.ts';

/* How long searches with every kind of filter take: the first of a filter and later ones, with memory and without. */

const LIMIT = 10;
/** Enough for the codes of every dataset here. */
const MEMORY_BYTES = 256e6;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    questions: { type: 'string', default: '40' },
    variants: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);
const variants = Number(options.variants);

/** Filters of each kind, by a number that makes them different. */
const KINDS: Record<string, (n: number) => Filter[]> = {
  'no filter': () => [],
  '`value`': (n) => [{ key: 'category', match: { value: categories(n, 1)[0] ?? '' } }],
  '`any` of 5 values': (n) => [{ key: 'category', match: { any: categories(n, 5) } }],
  '`range`': (n) => [{ key: 'page', range: { gte: 5 * n + 1, lt: 5 * n + 11 } }],
  '`except`': (n) => [{ key: 'lang', match: { except: [`lang-${n % 5}`] } }],
  '`must_not` with 50 values': (n) => [
    { must_not: [{ key: 'category', match: { any: categories(n, 50) } }] },
  ],
  '`should`: a value or a range': (n) => [
    {
      should: [
        { key: 'category', match: { any: categories(n, 1) } },
        { key: 'page', range: { gt: 45 - n } },
      ],
    },
  ],
};

const database = await openScratchDatabase();
const rows: Record<string, string>[] = [];
try {
  const corpus = createCorpus(sizes, 'clustered');
  const truth = createTruth(database.kind === 'PostgreSQL');
  const ours = await createOurs(database, MEMORY_BYTES);
  const forgetful = await createForgetful(database);
  for (const file of corpus.files()) {
    truth.keep(file);
    await ours.add(file);
  }
  for (const table of ours.tables) await database.pool.query(`VACUUM ANALYZE ${table}`);

  for (const [dataset, size] of sizes.entries()) {
    const known = truth.chunksOf(dataset);
    const ask = (filters: Filter[]) => {
      const vector = corpus.question(dataset, corpus.choose(known));
      const question: StoreQuestion = { dataset, chunkCount: size, vector, filters, limit: LIMIT };
      return { question, expected: truth.nearest(dataset, vector, filters, LIMIT) };
    };
    // The codes are in memory before any filter comes.
    await ours.search(ask([]).question);
    await ours.waitForReads?.();
    for (const [kind, filtersOf] of Object.entries(KINDS)) {
      const first: number[] = [];
      for (let n = 0; n < variants; n++) {
        const { question } = ask(filtersOf(n));
        first.push((await timed(() => ours.search(question)))[0]);
        await ours.waitForReads?.();
      }
      let next = 0;
      const measured = await measureSearches(
        [ours, forgetful],
        Number(options.questions),
        () => ask(filtersOf(next++ % variants)),
        () => 1,
      );
      const [our, without] = [measured.get(ours), measured.get(forgetful)];
      if (!our || !without) throw new Error('not every store was asked');
      rows.push({
        'chunks in dataset': size.toLocaleString('en'),
        filter: kind,
        passes: `${figure((100 * truth.passing(dataset, filtersOf(0))) / size)} %`,
        'first search ms': figure(median(first)),
        'later p50 / p99 ms': times(our),
        'without memory p50 / p99 ms': times(without),
        'recall@10': exact(kind, our, without),
      });
    }
  }
  for (const store of [ours, forgetful]) store.close();
} finally {
  await database.close();
}
const head = `${database.kind}, ${options.questions} questions a row, ${variants} different filters of each kind`;
await publish(`${head}\n\n${markdownTable(rows)}`, options.out);

function categories(n: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `category-${(7 * n + at) % 100}`);
}

function times({ ms }: Searches): string {
  return `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`;
}

/** @throws Error when a search has missed a chunk */
function exact(kind: string, ...all: Searches[]): string {
  if (all.every((searches) => recallOf(searches) === 1)) return '1.0000';
  throw new Error(`${kind}: recalls of ${all.map(recallOf)}`);
}
