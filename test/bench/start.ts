import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { figure, median } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { megabytesOf } from './report/memory.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace, type ScratchPlace } from './report/scratch-place.ts';
import { type Asked, ask } from './requests/load.ts';
import { seedPlace } from './requests/seed.ts';

/* How long the gateway takes to start, at first and on data that is there, and how much memory all its processes hold then. */

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '7' },
    requests: { type: 'string', default: '1000' },
    out: { type: 'string' },
  },
});
const ADDRESS = /filequery is at (http:\S+)/;

const firstMs = await withPlace(measureFirstStart);
await withPlace(bench);

async function withPlace<T>(work: (place: ScratchPlace) => Promise<T>): Promise<T> {
  const place = await createScratchPlace();
  try {
    return await work(place);
  } finally {
    await place.remove();
  }
}

async function bench(place: ScratchPlace) {
  const { apiKey } = await seedPlace(place);
  const starts: number[] = [];
  const idle: number[] = [];
  const used: number[] = [];
  // The first fills Node's cache of compiled code.
  for (let start = -1; start < Number(options.starts); start++) {
    const gateway = await startGateway(place.settings);
    const list: Asked = {
      ...{ method: 'GET', url: `${gateway.url}/v1/files?datasetId=list-10` },
      authorization: `Bearer ${apiKey}`,
    };
    const { status } = await ask(list);
    if (status !== 200) throw new Error(`it answers ${status}`);
    const ms = performance.now() - gateway.begun;
    // What a start leaves running is over, and its garbage collected.
    await setTimeout(5000);
    const before = await megabytesOf(gateway.pid);
    // No more than the gateway lets one customer ask in a minute.
    for (let asked = 1; asked < Number(options.requests); asked++) await ask(list);
    const after = await megabytesOf(gateway.pid);
    await gateway.stop();
    if (start < 0) continue;
    starts.push(ms);
    idle.push(before);
    used.push(after);
  }
  const table = markdownTable([
    {
      database: place.kind,
      'first start, ms': figure(firstMs),
      'start to first answer, median of': options.starts,
      ms: figure(median(starts)),
      'worst ms': figure(Math.max(...starts)),
      'MB idle': figure(median(idle)),
      [`MB after ${options.requests} requests`]: figure(median(used)),
    },
  ]);
  await publish(table, options.out);
}

/** Milliseconds until the first answer on an empty place, without Node's cache of compiled code. */
async function measureFirstStart({ settings }: ScratchPlace): Promise<number> {
  const cache = join(settings['DATA_DIR'] ?? '', 'compile-cache');
  const gateway = await startGateway({ ...settings, NODE_COMPILE_CACHE: cache });
  const { status } = await fetch(`${gateway.url}/ready`);
  if (status !== 200) throw new Error(`it answers ${status}`);
  const ms = performance.now() - gateway.begun;
  await gateway.stop();
  return ms;
}

/** The gateway as it is started in earnest. */
async function startGateway(settings: Record<string, string>) {
  const begun = performance.now();
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { PATH: process.env['PATH'], ...settings, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  let text = '';
  while (!ADDRESS.test(text)) {
    const [piece] = await Promise.race([once(child.stdout, 'data'), exited]);
    if (child.exitCode !== null) throw new Error('the gateway ended while it started');
    text += piece;
  }
  return {
    begun,
    pid: child.pid,
    url: ADDRESS.exec(text)?.[1] ?? '',
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
