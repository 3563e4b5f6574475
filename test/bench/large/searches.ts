import { setTimeout } from 'node:timers/promises';
import { createRandom, createVectors } from '../../support/vectors.ts';
import type { BenchGateway } from '../ingest/bench-gateway.ts';
import { figure, median, quantile, timed } from '../report/figures.ts';
import { DATASET, type KnownChunk, TOPIC } from './fill.ts';

/** Of a gateway that is measured. */
export const METRICS_TOKEN = 'a token of a benchmark';

const LIMIT = 10;
const WARM_UP = 20;

/** Conditions on metadata; each is met by so much of the dataset. */
const FILTERS: Record<string, Record<string, string>> = {
  none: {},
  '20 %': { lang: 'lang-1' },
  '1 %': { category: 'category-7' },
};

export interface SearchOptions {
  known: KnownChunk[];
  questions: number;
  /** Of each kind of question, so many are compared with what PostgreSQL finds by all vectors. */
  checked: number;
  /** Makes this the vector of the next question. */
  nextVector: (vector: Float32Array) => void;
}

/** How long searches over REST take, on topic and off, with filters and without. */
export async function measureSearches(gateway: BenchGateway, options: SearchOptions) {
  const rows: Record<string, string>[] = [];
  for (const topic of ['on topic', 'off topic']) {
    for (const [name, filter] of Object.entries(FILTERS)) {
      rows.push({ question: topic, filter: name, ...(await measure(topic, filter)) });
      console.error(rows.at(-1));
    }
  }
  return rows;

  async function measure(topic: string, filter: Record<string, string>) {
    const ask = createQuestions(options.known, topic);
    const filters = Object.entries(filter).map(([key, value]) => ({ key, match: { value } }));
    const ms: number[] = [];
    let right = 0;
    for (let at = -WARM_UP; at < options.questions; at++) {
      const vector = ask();
      options.nextVector(vector);
      const [took, found] = await timed(() => search(gateway, filters));
      if (at >= 0) ms.push(took);
      if (at < 0 || at >= options.checked) continue;
      const expected = await nearest(gateway, vector, filter);
      right += expected.filter((content) => found.includes(content)).length;
    }
    return {
      'p50 / p99 ms': `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`,
      ...(options.checked > 0 && {
        'recall@10': (right / (options.checked * LIMIT)).toFixed(4),
      }),
    };
  }
}

/** Waits until the dataset is in memory, and tells how long it took and how much it takes. */
export async function loadIntoMemory(
  gateway: BenchGateway,
): Promise<{ ms: number; bytes: number }> {
  let [datasets, bytes] = [0, 0];
  const [ms] = await timed(async () => {
    while (datasets === 0) {
      await search(gateway, []);
      await setTimeout(100);
      [datasets, bytes] = await readMemory(gateway);
    }
  });
  return { ms, bytes };
}

async function readMemory({ fetch }: BenchGateway): Promise<[datasets: number, bytes: number]> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const response = await fetch(new Request('http://filequery.bench/metrics', { headers }));
  const text = await response.text();
  const gauge = (name: string) =>
    Number(new RegExp(`^filequery_search_memory_${name} (.+)$`, 'm').exec(text)?.[1] ?? 0);
  return [gauge('datasets'), gauge('bytes')];
}

async function search(gateway: BenchGateway, filters: object[]): Promise<string[]> {
  const body = JSON.stringify({
    datasetId: DATASET,
    question: 'A question?',
    limit: LIMIT,
    filters,
  });
  const json = { 'content-type': 'application/json' };
  const { data } = (await gateway.ask('POST', '/v1/search', body, json)) as {
    data: { pageContent: string }[];
  };
  return data.map(({ pageContent }) => pageContent);
}

/** The texts of the nearest chunks, by all vectors. */
async function nearest(
  { pool }: BenchGateway,
  vector: Float32Array,
  filter: Record<string, string>,
): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT content FROM chunk WHERE metadata @> $2
     ORDER BY embedding <#> $1::text::halfvec LIMIT ${LIMIT}`,
    [`[${vector}]`, JSON.stringify(filter)],
  );
  return rows.map(({ content }) => content);
}

function createQuestions(known: KnownChunk[], topic: string): () => Float32Array {
  const random = createRandom(2);
  const vectors = createVectors('clustered');
  return () => {
    if (topic === 'off topic') return vectors.chunk('another topic', 'another file', random);
    const { vector, file } = known[Math.floor(random() * known.length)] as KnownChunk;
    return vectors.question(vector, TOPIC, file, random);
  };
}
