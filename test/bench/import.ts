import { openAsBlob } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { createClient } from '../../src/client/index.ts';
import { run } from '../support/process.ts';
import { makeMixedFolder } from './import/mixed-folder.ts';
import { figure, median, timed } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace } from './report/scratch-place.ts';

/* How long `filequery import` of small files takes, and the same files in requests of their own, in turn. */

const { values: options } = parseArgs({
  options: {
    files: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const count = Number(options.files);
/** As the command has it. */
const PARALLEL = 4;

const place = await createScratchPlace();
const folder = await makeMixedFolder(count);
const gateway = run('src/main.ts', [], { ...place.settings, PORT: '0' });
try {
  const [, url = ''] = await gateway.wrote(/filequery is at (http:\S+)/);
  const ways = { 'a file in each request': oneByOne, '`filequery import`': byCommand };
  const seen = Object.entries(ways).map(([name, bring]) => {
    return { name, bring, ms: [] as number[], cores: [] as number[] };
  });
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { bring, ms, cores } of seen) {
      const apiKey = await newCustomer();
      const before = busyMs();
      const [took] = await timed(() => bring(url, apiKey));
      ms.push(took);
      cores.push((busyMs() - before) / took);
    }
  }
  const rows = seen.map(({ name, ms, cores }) => ({
    [`${place.kind}, ${count} files`]: name,
    s: figure(median(ms) / 1000),
    'files/s': figure((1000 * count) / median(ms)),
    'cores busy': figure(median(cores)),
  }));
  await publish(markdownTable(rows), options.out);
} finally {
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  await rm(folder, { recursive: true });
  await place.remove();
}

/** Rate limits are those of a customer. */
async function newCustomer(): Promise<string> {
  const args = ['customer', 'create', '--name', crypto.randomUUID(), '--unmetered', '--json'];
  const { stdout } = await run('src/cli/main.ts', args, place.settings).ended;
  return JSON.parse(stdout).apiKey;
}

async function oneByOne(url: string, credential: string): Promise<void> {
  const client = createClient({ url, credential, retries: 10 });
  const names = await readdir(folder);
  await pMap(
    names,
    async (name) => {
      const file = new File([await openAsBlob(join(folder, name))], name);
      await client.upload([file], { datasetId: 'docs', onDuplicate: 'SKIP' });
    },
    { concurrency: PARALLEL },
  );
}

async function byCommand(url: string, apiKey: string): Promise<void> {
  const settings = { FILEQUERY_URL: url, FILEQUERY_API_KEY: apiKey };
  const args = ['import', folder, '--dataset', 'docs'];
  const { code, stdout, stderr } = await run('src/cli/main.ts', args, settings).ended;
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
}

/** Of all processors since the machine started, in milliseconds. */
function busyMs(): number {
  return cpus().reduce(
    (sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq,
    0,
  );
}
