import { parseArgs } from 'node:util';
import { createCitusPlace } from './report/citus-place.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace } from './report/scratch-place.ts';
import { type Case, casesOf, type ServerName } from './requests/cases.ts';
import { type Asked, ask, load, type Slot } from './requests/load.ts';
import { type ServerProcess, type Setup, startServer } from './requests/processes.ts';
import { type Measured, reportRequests } from './requests/report.ts';
import { seedPlace } from './requests/seed.ts';

/* What a request costs: the gateway, the floor below it, and stock parts, in turn. */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    clients: { type: 'string', default: '8' },
    /** Seconds for which each server is asked before anything is counted: code is still compiled then. */
    warmup: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    servers: { type: 'string', default: 'floor,alike,stock,mercurius' },
    out: { type: 'string' },
  },
});
const names = ['filequery', ...options.servers.split(',')].filter(Boolean) as ServerName[];

const place = await createScratchPlace();
/** The same gateway on a Citus cluster, if that is one of the servers. */
const citus = names.includes('citus') ? await createCitusPlace() : undefined;
try {
  await bench();
} finally {
  await citus?.remove();
  await place.remove();
}

async function bench() {
  const { apiKey, fileId } = await seedPlace(place);
  if (citus) await seedPlace(citus, apiKey);
  const model = await startServer('model.ts', { ...place, modelUrl: '' });
  const setup: Setup = { ...place, modelUrl: `${model.url}/v1` };
  // Ours first: it holds the embedded database.
  const servers = new Map<ServerName, ServerProcess>();
  for (const name of names) {
    const server =
      name === 'citus'
        ? startServer('filequery.ts', { ...setup, ...citus })
        : startServer(`${name}.ts`, setup);
    servers.set(name, await server);
  }
  try {
    const cases = casesOf(fileId).filter(({ name }) => name.includes(options.only));
    const measured: Measured[] = [];
    for (const one of cases) measured.push(await measure(one, servers, `Bearer ${apiKey}`));
    const { table, chart } = reportRequests(place.kind, measured, options);
    await publish(table, options.out, chart);
  } finally {
    for (const server of [...servers.values()].toReversed()) await server.stop();
    await model.stop();
  }
}

/** One kind of request to each server in turn, round after round: with many clients, and with one alone. */
async function measure(
  one: Case,
  servers: Map<ServerName, ServerProcess>,
  authorization: string,
): Promise<Measured> {
  const { method, path, body, of, has } = one;
  const [clients, seconds] = [Number(options.clients), Number(options.seconds)];
  const crowd = new Map<ServerName, Slot[]>();
  const alone = new Map<ServerName, Slot[]>();
  const asking = new Map<ServerName, Asked>();
  for (const [name, { url }] of servers) {
    if (!of.includes(name)) continue;
    const asked: Asked = { method, url: url + path, authorization, body };
    const answered = await ask(asked);
    if (!answered.body.includes(has)) throw new Error(`${name} answers ${answered.body}`);
    await load(asked, { clients, seconds: Number(options.warmup) });
    asking.set(name, asked);
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [name, asked] of asking) {
      const many = await load(asked, { clients, seconds });
      const one = await load(asked, { clients: 1, seconds: seconds / 2 });
      crowd.set(name, [...(crowd.get(name) ?? []), many]);
      alone.set(name, [...(alone.get(name) ?? []), one]);
    }
  }
  return { name: one.name, crowd, alone };
}
