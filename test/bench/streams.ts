import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { figure } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { megabytesOf } from './report/memory.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace } from './report/scratch-place.ts';
import { type ServerProcess, startServer } from './requests/processes.ts';
import { seedPlace } from './requests/seed.ts';
import { type Door, GATEWAY_DOORS, modelDoor } from './streams/doors.ts';
import type { ReadersResult, ReadersTask } from './streams/readers.ts';

/* Many answers of a slow model at once: how late a delta is, and the memory of a stream. */

const { values: options } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    stalled: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '15' },
    pause: { type: 'string', default: '50-100' },
    rate: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
});
const [streams, stalled] = [Number(options.streams), Number(options.stalled)];

const place = await createScratchPlace();
try {
  await bench();
} finally {
  await place.remove();
}

async function bench() {
  const { apiKey } = await seedPlace(place);
  const chatModel = `slow-${options.pause}`;
  const model = await startServer('../../streams/slow-model.ts', { ...place, modelUrl: '' });
  const rows: Record<string, string>[] = [];
  try {
    const whole = modelDoor(chatModel);
    if (whole.name.includes(options.only)) rows.push(await measure(model, whole, 0));
    for (const door of GATEWAY_DOORS.filter(({ name }) => name.includes(options.only))) {
      for (const count of stalled > 0 ? [0, stalled] : [0]) {
        // A new process each time: memory that one has taken is not given back at once.
        const gateway = await startServer('filequery.ts', {
          ...place,
          settings: { ...place.settings, CHAT_MODEL: chatModel },
          modelUrl: `${model.url}/v1`,
        });
        try {
          rows.push(await measure(gateway, door, count));
        } finally {
          await gateway.stop();
        }
      }
    }
  } finally {
    await model.stop();
  }
  const title = `${place.kind}, ${streams} answers at once, a delta of each every ${options.pause} ms`;
  await publish(`${title}\n\n${markdownTable(rows)}`, options.out);

  async function measure(
    { url, pid }: ServerProcess,
    door: Door,
    stopped: number,
  ): Promise<Record<string, string>> {
    const endUrl = `${model.url}/end`;
    const task = { url, endUrl, authorization: `Bearer ${apiKey}`, door };
    // What is loaded and compiled once is no memory of a stream.
    await read({ ...task, readers: 50, stalled: 0, openedPerSecond: 50, seconds: 3 });
    const before = await megabytesOf(pid);
    let peak = before;
    const [openedPerSecond, seconds] = [Number(options.rate), Number(options.seconds)];
    const all = { ...task, readers: streams, stalled: stopped, openedPerSecond, seconds };
    const found = await read(all, async () => {
      peak = Math.max(peak, await megabytesOf(pid));
    });
    return {
      'streamed by': stopped > 0 ? `${door.name}, ${stopped} more stop reading` : door.name,
      'delay p50 / p99 / longest ms': `${figure(found.p50)} / ${figure(found.p99)} / ${figure(found.longest)}`,
      'deltas/s': figure(found.perSecond),
      dropped: String(found.dropped),
      'kB a stream': figure((1024 * (peak - before)) / (streams + stopped)),
    };
  }
}

/** @param sample called again and again while all streams are open */
function read(task: ReadersTask, sample = async () => {}): Promise<ReadersResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./streams/readers.ts', import.meta.url));
    let sampling: NodeJS.Timeout | undefined;
    child.on('message', (message: 'open' | { result: ReadersResult }) => {
      if (message === 'open') sampling = setInterval(() => sample().catch(reject), 1000);
      else resolve(message.result);
    });
    child.on('exit', () => {
      clearInterval(sampling);
      reject(new Error('the readers ended'));
    });
    child.send(task);
  });
}
