import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { quantile } from '../report/figures.ts';
import type { Door } from './doors.ts';
import { readStamps } from './stamps.ts';

/* Reads many streams at once, in a process of its own. */

export interface ReadersTask {
  url: string;
  authorization: string;
  door: Door;
  /** How many read, and how many more stop reading after the first delta. */
  readers: number;
  stalled: number;
  /** Streams that are opened a second. */
  openedPerSecond: number;
  /** The deltas of each stream. */
  deltas: number;
  /** After so many of them all leave; by default they stay to the end. */
  leaveAfter?: number;
}

/** Delays in milliseconds, of the deltas that came while all streams were open. */
export interface ReadersResult {
  p50: number;
  p99: number;
  longest: number;
  /** Deltas that were measured. */
  measured: number;
  /** Streams that did not come to their end with all deltas. */
  dropped: number;
  /** Deltas received a second while all streams were open. */
  perSecond: number;
}

interface Arrival {
  at: number;
  delays: number[];
}

process.once('message', async (task: ReadersTask) => {
  process.send?.({ result: await readAll(task) });
});

async function readAll(task: ReadersTask): Promise<ReadersResult> {
  const { readers, stalled, openedPerSecond } = task;
  const agent = new Agent({ keepAlive: false });
  const arrivals: Arrival[] = [];
  let [open, begunAt, endedAt] = [0, Number.NaN, Number.POSITIVE_INFINITY];
  const onOpen = () => {
    open++;
    if (open < readers + stalled) return;
    begunAt = performance.now();
    process.send?.('open');
  };
  const streams: Promise<boolean>[] = [];
  const stopped: IncomingMessage[] = [];
  for (let at = 0; at < readers + stalled; at++) {
    await setTimeout(1000 / openedPerSecond);
    if (at % Math.ceil((readers + stalled) / (stalled || 1)) === 0 && stopped.length < stalled) {
      const response = await openStream(task, agent);
      response.once('data', () => {
        response.pause();
        onOpen();
      });
      stopped.push(response);
      continue;
    }
    streams.push(
      readStream(task, agent, onOpen, (delays) => {
        arrivals.push({ at: performance.now(), delays });
      }).finally(() => {
        endedAt = Math.min(endedAt, performance.now());
      }),
    );
  }
  const whole = await Promise.all(streams);
  for (const response of stopped) response.destroy();
  const together = arrivals.filter(({ at }) => at >= begunAt && at < endedAt);
  const delays = together.flatMap((arrival) => arrival.delays);
  if (delays.length === 0)
    throw new Error('some ended before all were open: --deltas must be more');
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    longest: quantile(delays, 1),
    measured: delays.length,
    dropped: whole.filter((isWhole) => !isWhole).length,
    perSecond: (1000 * delays.length) / (endedAt - begunAt),
  };
}

/** @returns whether all of it came */
async function readStream(
  task: ReadersTask,
  agent: Agent,
  onOpen: () => void,
  onDeltas: (delays: number[]) => void,
): Promise<boolean> {
  let [deltas, rest, tail] = [0, '', ''];
  try {
    const response = await openStream(task, agent);
    for await (const text of response.setEncoding('utf8')) {
      const read = readStamps(rest + text);
      if (deltas === 0 && read.delays.length > 0) onOpen();
      deltas += read.delays.length;
      rest = read.rest;
      tail = (tail + text).slice(-500);
      onDeltas(read.delays);
      if (deltas >= (task.leaveAfter ?? Number.POSITIVE_INFINITY)) break;
    }
  } catch {
    return false;
  }
  return deltas === task.deltas && tail.includes(task.door.end);
}

function openStream({ url, authorization, door }: ReadersTask, agent: Agent) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json', ...door.headers };
    request(url + door.path, { method: 'POST', agent, headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify(door.body));
  });
}
