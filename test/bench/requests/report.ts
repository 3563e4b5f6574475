import { barChart } from '../report/bar-chart.ts';
import { figure, median, quantile } from '../report/figures.ts';
import { markdownTable } from '../report/markdown.ts';
import type { ServerName } from './cases.ts';
import type { Slot } from './load.ts';

/** Slots of one kind of request, by server, with many clients and with one alone. */
export interface Measured {
  name: string;
  crowd: Map<ServerName, Slot[]>;
  alone: Map<ServerName, Slot[]>;
}

const OTHERS = ['floor', 'alike', 'stock', 'mercurius', 'citus'] as const;
const TITLES = {
  floor: 'bare node:http',
  alike: 'the same with our retrieval',
  stock: 'Express + LangChain',
  mercurius: 'mercurius',
  citus: 'filequery on Citus',
};

/** All figures as Markdown tables, and the throughput as a chart. */
export function reportRequests(
  kind: string,
  measured: Measured[],
  { clients, rounds, seconds }: Record<'clients' | 'rounds' | 'seconds', string>,
): { table: string; chart: string } {
  const others = OTHERS.filter((name) => measured.some(({ crowd }) => crowd.has(name)));
  const table = [
    `${kind}, an instant model, ${clients} clients, ${rounds} rounds of ${seconds} s each in turn`,
    markdownTable(
      measured.map(({ name, crowd }) => ({
        request: name,
        'filequery requests/s': figure(perSecond(crowd.get('filequery'))),
        'p50 / p99 ms': latency(crowd.get('filequery')),
        ...Object.fromEntries(
          others.flatMap((other) => [
            [`${TITLES[other]} requests/s`, figure(perSecond(crowd.get(other)))],
            [`its p50 / p99 ms`.padEnd(16 + OTHERS.indexOf(other)), latency(crowd.get(other))],
            [`ratio`.padEnd(5 + OTHERS.indexOf(other)), ratio(crowd, other)],
          ]),
        ),
      })),
    ),
    'One client alone, p50 / p99 ms; a request of filequery and its own share: all but models, embedding and SQL',
    markdownTable(
      measured.map(({ name, alone }) => ({
        request: name,
        filequery: latency(alone.get('filequery')),
        'own share': STREAMED.test(name) ? '–' : ownShare(alone.get('filequery')),
        ...Object.fromEntries(others.map((other) => [TITLES[other], latency(alone.get(other))])),
      })),
    ),
  ].join('\n\n');
  const chart = barChart({
    title: `Requests a second, ${clients} clients (${kind})`,
    unit: '/s',
    series: ['filequery', ...others.map((other) => TITLES[other])],
    groups: measured.map(({ name, crowd }) => ({
      name,
      values: (['filequery', ...others] as const).map((server) => {
        const slots = crowd.get(server);
        return slots && perSecond(slots);
      }),
    })),
  });
  return { table, chart };
}

function perSecond(slots: Slot[] = []): number {
  return median(slots.map((slot) => slot.perSecond));
}

function latency(slots: Slot[] = []): string {
  return both(slots.flatMap(({ ms }) => ms));
}

function both(ms: number[]): string {
  return ms.length === 0 ? '–' : `${figure(median(ms))} / ${figure(quantile(ms, 0.99))}`;
}

/** Of the throughput, round by round: what disturbs one round disturbs both. */
function ratio(crowd: Measured['crowd'], other: ServerName): string {
  const [ours = [], its = []] = [crowd.get('filequery'), crowd.get(other)];
  const ratios = its.map((slot, at) => (ours[at]?.perSecond ?? Number.NaN) / slot.perSecond);
  return ratios.length === 0 ? '–' : `${figure(median(ratios))}×`;
}

/** Answers that tell only what was known when they began. */
const STREAMED = /SSE|10,000/;

/** The steps of a request that are not ours, as `Server-Timing` names them. */
const ELSEWHERE = /\b(?:credits|files|sign|dataset|embed|search|model);dur=([\d.]+)/g;

function ownShare(slots: Slot[] = []): string {
  return both(
    slots.flatMap(({ ms, serverTimings }) =>
      ms.map((whole, at) => {
        const elsewhere = serverTimings[at]?.matchAll(ELSEWHERE) ?? [];
        return [...elsewhere].reduce((rest, [, took]) => rest - Number(took), whole);
      }),
    ),
  );
}
