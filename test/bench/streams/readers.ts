import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { quantile } from '../report/figures.ts';
import type { Door } from './doors.ts';
import { readStamps, readTotal } from './stamps.ts';

/* Reads many streams at once, in a process of its own. */

export interface ReadersTask {
  url: string;
  authorization: string;
  door: Door;
  /** What ends all answers. */
  endUrl: string;
  /** How many read, and how many more stop reading after the first delta. */
  readers: number;
  stalled: number;
  /** Streams that are opened a second. */
  openedPerSecond: number;
  /** For how long all are open. */
  seconds: number;
}

/** Delays in milliseconds, of the deltas that came while all streams were open. */
export interface ReadersResult {
  p50: number;
  p99: number;
  longest: number;
  /** Streams that did not come to their end with all deltas. */
  dropped: number;
  /** Deltas received a second while all streams were open. */
  perSecond: number;
}

process.once('message', async (task: ReadersTask) => {
  process.send?.({ result: await readAll(task) });
  process.disconnect();
});

async function readAll(task: ReadersTask): Promise<ReadersResult> {
  const { readers, stalled, openedPerSecond, endUrl, seconds } = task;
  const agent = new Agent();
  const opened = { count: 0, ...Promise.withResolvers<void>() };
  const onOpen = () => {
    opened.count++;
    if (opened.count === readers + stalled) opened.resolve();
  };
  let isMeasured = false;
  const delays: number[] = [];
  const onDeltas = (some: number[]) => {
    if (isMeasured) delays.push(...some);
  };

  const streams: Promise<boolean>[] = [];
  const stopped: Promise<IncomingMessage>[] = [];
  for (let at = 0; at < readers + stalled; at++) {
    await setTimeout(1000 / openedPerSecond);
    if (at < stalled) stopped.push(openAndStop(task, agent, onOpen));
    else streams.push(readStream(task, agent, onOpen, onDeltas));
  }
  await opened.promise;
  process.send?.('open');
  const begun = performance.now();
  isMeasured = true;
  await setTimeout(1000 * seconds);
  isMeasured = false;
  const perSecond = (1000 * delays.length) / (performance.now() - begun);
  await fetch(endUrl);
  for (const response of await Promise.all(stopped)) response.destroy();
  const whole = await Promise.all(streams);
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    longest: quantile(delays, 1),
    dropped: whole.filter((isWhole) => !isWhole).length,
    perSecond,
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
      tail = (tail + text).slice(-1000);
      onDeltas(read.delays);
    }
  } catch {
    return false;
  }
  return deltas === readTotal(tail) && tail.includes(task.door.end);
}

async function openAndStop(task: ReadersTask, agent: Agent, onOpen: () => void) {
  const response = await openStream(task, agent);
  response.once('data', () => {
    response.pause();
    onOpen();
  });
  return response;
}

function openStream({ url, authorization, door }: ReadersTask, agent: Agent) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json', ...door.headers };
    request(url + door.path, { method: 'POST', agent, headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify(door.body));
  });
}
