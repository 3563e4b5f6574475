import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolConfig } from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createOperator } from '../../src/runtime/operator.ts';
import type { Maintenance } from '../../src/use-cases/maintenance/maintenance.ts';
import { type Client, createClient } from './client.ts';
import { createReindexing } from './kill-reindex.ts';
import { type GatewayProcess, startProcess } from './process.ts';
import { restTransport } from './rest-transport.ts';
import { startSupabaseDouble } from './supabase-double.ts';
import { resultOf, type ShownFile } from './transport.ts';
import { createRandom } from './vectors.ts';

/** Where gateways live that are killed. */
export interface KillingPlace {
  settings: Record<string, string>;
  connection: PoolConfig;
}

const GRANTED = 100_000;
const docs = { datasetId: 'docs' };
const bin = { datasetId: 'bin' };
/** What was answered so shortly before the last answer may not be booked for good yet. */
const UNSETTLED_MS = 2_000;

/** What a client knows of the files of a dataset, by their names. */
interface Known {
  /** Asked for, whatever became of it. */
  started: Set<string>;
  /** Acknowledged, with their ids. */
  there: Map<string, string>;
  /** To be deleted, whatever became of it. */
  leaving: Set<string>;
  /** Acknowledged to be gone. */
  gone: Set<string>;
}

/**
 * Kills gateways under uploads, deletions, purges, searches, questions and a reindex, with a storage
 * that answers late, never, or twice, and checks after each that everything acknowledged is there.
 *
 * @param seed decides when and how
 */
export async function createKilling(place: KillingPlace, seed: number) {
  const random = createDice(seed);
  const { DATA_DIR: dataDir = '' } = place.settings;
  const storage = await startSupabaseDouble();
  const settings = {
    ...place.settings,
    SUPABASE_URL: storage.url,
    SUPABASE_SECRET_KEY: storage.secretKey,
    LOG_LEVEL: 'silent',
  };
  const known: Known = {
    started: new Set(),
    there: new Map(),
    leaving: new Set(),
    gone: new Set(),
  };
  /** Files that were ever published, each paid for. */
  const published = new Set<string>();
  /** Searches and questions, which cost the same. */
  let searches = 0;
  /** When those of this round were answered. */
  let answered: number[] = [];
  /** 1 while a streamed answer is being read. */
  let cutStreams = 0;
  let files = 0;

  let gateway = await startProcess(dataDir, settings);
  const operator = openOperator();
  const { customerId, apiKey } = await (await operator.admin()).createCustomer({
    name: 'killed',
    credits: String(GRANTED),
  });
  await operator.close();
  const reindexing = await createReindexing(settings);
  await reindexing.upload(createClient(gateway, apiKey));
  published.add('owl.txt');

  return {
    /** One kill, and what came of it. @returns what is wrong; empty when nothing is */
    async kill(): Promise<string[]> {
      const lateMs = random(3) === 0 ? 100 + random(400) : 0;
      storage.beforeStore(() => pause(lateMs));
      if (random(4) === 0) storage.faults.set('upload', 'answer lost', 1 + random(3));
      if (random(6) === 0) storage.faults.set('upload', 'hang', 1);
      if (random(6) === 0) storage.faults.set('remove', 'answer lost', 1);
      answered = [];
      cutStreams = 0;
      const lanes = [upload, upload, remove, purge, search, ask];
      const work = Promise.all(lanes.map((act) => untilKilled(gateway, act)));
      const reindex = random(4) === 0 ? reindexing.start() : undefined;
      // A command takes a second or two to start.
      await pause(50 + random(reindex ? 4_000 : 700));
      gateway.child.kill('SIGKILL');
      reindex?.child.kill('SIGKILL');
      await Promise.all([gateway.ended, reindex?.ended, work]);
      // What is on its way in the storage arrives.
      await pause(600);
      storage.beforeStore(async () => {});
      storage.faults.clear();
      gateway = await startProcess(dataDir, settings);
      return judge();
    },

    async close(): Promise<void> {
      gateway.child.kill('SIGTERM');
      await gateway.ended;
      await Promise.all([storage.close(), reindexing.close()]);
    },
  };

  async function untilKilled(
    { child }: GatewayProcess,
    act: (me: Client) => Promise<void>,
  ): Promise<void> {
    const me = createClient(gateway, apiKey);
    while (child.signalCode === null) {
      // A failure is an answer, too; what it means is seen later.
      await act(me).catch(() => pause(5));
    }
  }

  async function upload(me: Client): Promise<void> {
    const name = `${++files}.txt`;
    known.started.add(name);
    const sent = { ...docs, files: { [name]: `The fox number ${name} is quick.` } };
    const [file] = resultOf(await restTransport.upload(me, sent)).files;
    known.there.set(name, file?.fileId ?? '');
    published.add(name);
  }

  async function remove(me: Client): Promise<void> {
    const [name, fileId] = [...known.there][random(known.there.size || 1)] ?? [];
    if (name === undefined || fileId === undefined) return pause(5);
    known.there.delete(name);
    known.leaving.add(name);
    resultOf(await restTransport.remove(me, { ...docs, fileId }));
    known.leaving.delete(name);
    known.gone.add(name);
  }

  /** In a dataset of its own: which of its files are there is known by who uploads them. */
  async function purge(me: Client): Promise<void> {
    const name = `bin ${++files}.txt`;
    resultOf(await restTransport.upload(me, { ...bin, files: { [name]: 'The hen is slow.' } }));
    published.add(name);
    if (random(3) === 0) resultOf(await restTransport.purgeDataset(me, 'bin'));
    await pause(20);
  }

  async function search(me: Client): Promise<void> {
    resultOf(await restTransport.search(me, { ...docs, question: 'Is the fox quick?' }));
    searches += 1;
    answered.push(performance.now());
    // Within what a minute allows.
    await pause(40);
  }

  /** A stream that is cut may be paid for: its first words were delivered. */
  async function ask(me: Client): Promise<void> {
    cutStreams = 1;
    resultOf(await restTransport.stream(me, { ...docs, question: 'Which fox is quick?' }));
    cutStreams = 0;
    searches += 1;
    answered.push(performance.now());
    await pause(40);
  }

  async function judge(): Promise<string[]> {
    const wrong: string[] = [];
    const operator = openOperator();
    const maintenance = await operator.maintenance();
    const due = 'UPDATE pending_file SET due = now(), keep_until = NULL';
    await execute(`${due}; UPDATE pending_charge SET due = now()`);
    const { failed } = await maintenance.sweep();
    if (failed > 0) wrong.push(`${failed} files could not be swept`);
    // The gateway sweeps at its start, too: what it claimed goes a moment later.
    await allSettled(maintenance);
    await maintenance.reindex({ datasetId: 'moved' }, () => {});
    const { drifts } = await maintenance.verify({ youngMinutes: 0 });
    for (const { kind, what } of drifts) wrong.push(`${kind}: ${what}`);

    const me = createClient(gateway, apiKey);
    wrong.push(...(await reindexing.judge(me)));
    searches += 1;
    // Before the next kill: its charge is none of those that may be refunded then.
    await allSettled(maintenance);
    const listed = namesOf(resultOf(await restTransport.list(me, docs)));
    const inBin = namesOf(resultOf(await restTransport.list(me, bin)));
    for (const name of known.there.keys()) {
      if (!listed.has(name)) wrong.push(`lost: ${name}`);
    }
    for (const name of listed.keys()) {
      if (known.gone.has(name)) wrong.push(`back: ${name}`);
      if (!known.started.has(name)) wrong.push(`nobody's: ${name}`);
    }
    for (const name of [...listed.keys(), ...inBin.keys()]) published.add(name);
    for (const name of known.leaving) if (!listed.has(name)) known.gone.add(name);
    known.leaving.clear();
    known.there = listed;

    const { credits } = await (await operator.admin()).showCredits(customerId);
    const spent = Math.round((GRANTED - Number(credits)) * 10);
    const most = 10 * published.size + searches + cutStreams;
    // A gateway that stood still answered nothing, and booked nothing either.
    const last = answered.at(-1) ?? 0;
    const unsettled = answered.filter((at) => at > last - UNSETTLED_MS).length;
    if (spent > most || spent < most - cutStreams - unsettled) {
      wrong.push(
        `spent ${spent / 10}, not ${(most - cutStreams - unsettled) / 10} to ${most / 10}`,
      );
    }
    // Those that were given back are known now.
    searches -= most - cutStreams - spent;
    await operator.close();
    return wrong;
  }

  function openOperator() {
    return createOperator(readConfig(settings), createLog('silent'));
  }

  async function allSettled({ countIntents }: Maintenance): Promise<void> {
    for (let tries = 0; tries < 50; tries++) {
      const { files, charges } = await countIntents();
      if (files + charges === 0) return;
      await pause(100);
    }
  }

  async function execute(sql: string): Promise<void> {
    const pool = new Pool({ ...place.connection, max: 1 });
    await pool.query(sql);
    await pool.end();
  }
}

function namesOf(files: ShownFile[]): Map<string, string> {
  return new Map(files.map(({ originalName, fileId }) => [originalName, fileId]));
}

/** Numbers from 0 up to, without, a limit: the same for the same seed. */
function createDice(seed: number): (limit: number) => number {
  const random = createRandom(seed);
  return (limit) => Math.floor(random() * limit);
}
