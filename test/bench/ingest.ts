import { parseArgs } from 'node:util';
import { startBenchGateway } from './ingest/bench-gateway.ts';
import { measureMemory, type UploadEffect } from './ingest/memory.ts';
import { measureRemovals } from './ingest/removals.ts';
import { measureSmallFiles } from './ingest/small-files.ts';
import { measureStages, STAGES, type Stages } from './ingest/stages.ts';
import { figure, median, quantile } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';

/* How quickly files come in and go, and what an upload does to the gateway meanwhile. */

const { values: options } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    files: { type: 'string', default: '10000' },
    large: { type: 'string', default: '10,100' },
    out: { type: 'string' },
  },
});
const megabytes = Number(options.megabytes);

const gateway = await startBenchGateway();
const stages = await measureStages(gateway, { megabytes, rounds: Number(options.rounds) });
const small = await measureSmallFiles(gateway, { rounds: Number(options.rounds) });
const removals = await measureRemovals(gateway, { files: Number(options.files) });
await gateway.close();
const effects = await measureMemory(options.large.split(',').map(Number));

const report = [
  `${gateway.kind}, a text of ${megabytes} MB, ${stages.chunks.toLocaleString('en')} chunks, medians of ${options.rounds} rounds`,
  stagesTable(stages),
  markdownTable(small),
  markdownTable(removals),
  'An upload to a gateway in a process of its own: memory of all its processes, and how soon it answers others',
  effectsTable(effects),
].join('\n\n');
await publish(report, options.out);

function stagesTable({ bytes, chunks, ms }: Stages): string {
  return markdownTable(
    Object.entries(STAGES).map(([name, stage]) => {
      const took = ms[name as keyof typeof STAGES];
      return {
        stage,
        'MB/s': figure(bytes / 1000 / took),
        'chunks/s': figure((1000 * chunks) / took),
        'of raw': `${(ms.raw / took).toFixed(2)}×`,
      };
    }),
  );
}

function effectsTable(effects: UploadEffect[]): string {
  const inMegabytes = (bytes: number) => figure(bytes / 1e6);
  const times = (ms: number[]) =>
    [median(ms), quantile(ms, 0.99), Math.max(...ms)].map(figure).join(' / ');
  return markdownTable(
    effects.map(({ megabytes, seconds, before, fifths, healthBefore, health }) => ({
      text: `${megabytes} MB`,
      'took s': figure(seconds),
      'MB before': inMegabytes(before),
      'most in each fifth of the time': fifths.map(inMegabytes).join(', '),
      '`GET /health` p50 / p99 / worst ms': times(health),
      'before the upload': times(healthBefore),
    })),
  );
}
