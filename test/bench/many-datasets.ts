import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createRandom } from '../support/vectors.ts';
import { startBenchGateway } from './ingest/bench-gateway.ts';
import { DATASET, fill } from './large/fill.ts';
import { METRICS_TOKEN } from './large/searches.ts';
import { copyDataset, copyId } from './many-datasets/copy-datasets.ts';
import type { Told } from './many-datasets/gateway-process.ts';
import { figure, median, quantile } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace } from './report/scratch-place.ts';
import { ask } from './requests/load.ts';

/* More datasets than there is memory for, asked at random over several gateways. */

const { values: options } = parseArgs({
  options: {
    datasets: { type: 'string', default: '1000' },
    chunks: { type: 'string', default: '5000' },
    gateways: { type: 'string', default: '4' },
    /** Megabytes of each gateway. */
    memory: { type: 'string', default: '256' },
    /** How many of the datasets are asked, in one row after the other. */
    asked: { type: 'string', default: '10,50,200,1000' },
    clients: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '20' },
    out: { type: 'string' },
  },
});
const gatewayCount = Number(options.gateways);

const place = await createScratchPlace();
try {
  const seeding = await startBenchGateway({ place });
  await fill(seeding, Number(options.chunks));
  await copyDataset(seeding.pool, DATASET, Number(options.datasets));
  const { customerId, apiKey } = seeding;
  await seeding.close();

  const rows: Record<string, string>[] = [];
  for (const asked of options.asked.split(',').map(Number)) {
    // New ones, so that nothing is in memory yet.
    const gateways = await Promise.all(
      Array.from({ length: gatewayCount }, () =>
        startGateway({
          place,
          customer: { customerId, apiKey },
          searchMemory: options.memory,
        }),
      ),
    );
    const urls = gateways.map(({ url }) => url);
    await askAtRandom(urls, asked);
    const before = await countLookups(urls);
    const ms = await askAtRandom(urls, asked);
    const after = await countLookups(urls);
    await Promise.all(gateways.map(({ stop }) => stop()));
    const found = after.found - before.found;
    rows.push({
      'datasets asked': asked.toLocaleString('en'),
      'found in memory': `${Math.round((100 * found) / (after.all - before.all))} %`,
      'searches/s': figure(ms.length / Number(options.seconds)),
      'p50 / p99 ms': `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`,
    });
  }
  const title = [
    `${place.kind}, ${Number(options.datasets).toLocaleString('en')} datasets of ${Number(options.chunks).toLocaleString('en')} chunks`,
    `${gatewayCount} gateways with SEARCH_MEMORY=${options.memory}, ${options.clients} clients`,
  ].join(', ');
  await publish([title, markdownTable(rows)].join('\n\n'), options.out);

  /** Each client asks one gateway after the other about a random dataset. @returns the times of all searches */
  async function askAtRandom(urls: string[], asked: number): Promise<number[]> {
    const ms: number[] = [];
    const end = performance.now() + 1000 * Number(options.seconds);
    const random = createRandom(1);
    await Promise.all(
      Array.from({ length: Number(options.clients) }, async (_, client) => {
        for (let at = client; performance.now() < end; at++) {
          const datasetId = copyId(Math.floor(asked * random()));
          const start = performance.now();
          const { status } = await ask({
            method: 'POST',
            url: `${urls[at % urls.length]}/v1/search`,
            authorization: `Bearer ${apiKey}`,
            body: { datasetId, question: 'A question?', limit: 10 },
          });
          if (status !== 200) throw new Error(`a search answers ${status}`);
          ms.push(performance.now() - start);
        }
      }),
    );
    return ms;
  }
} finally {
  await place.remove();
}

async function startGateway({ place: { kind, settings, connection }, ...told }: Told) {
  const child = fork(new URL('many-datasets/gateway-process.ts', import.meta.url));
  const exited = once(child, 'exit');
  child.send({ ...told, place: { kind, settings, connection } } satisfies Told);
  const [url] = await once(child, 'message');
  return {
    url: String(url),
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}

/** Lookups of all gateways so far: those that found the dataset in memory, and all. */
async function countLookups(urls: string[]): Promise<{ found: number; all: number }> {
  const total = { found: 0, all: 0 };
  for (const url of urls) {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    const lines = text.matchAll(
      /^filequery_search_memory_lookups_total\{result="(\w+)"\} (\d+)$/gm,
    );
    for (const [, result, count] of lines) {
      total.all += Number(count);
      if (result === 'found') total.found += Number(count);
    }
  }
  return total;
}
