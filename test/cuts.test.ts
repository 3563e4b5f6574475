import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import type { EmbeddingModel } from '../src/ports/language-model.ts';
import { type App, createApp } from '../src/runtime/create-app.ts';
import { createLog } from '../src/runtime/log.ts';
import { createReindex } from '../src/use-cases/datasets/reindex.ts';
import type { Dependencies } from '../src/use-cases/dependencies.ts';
import { type Client, createClient } from './support/client.ts';
import { type Cut, createCuts } from './support/cuts.ts';
import { ask } from './support/databases.ts';
import { createDataset } from './support/dataset.ts';
import { EFFORT } from './support/effort.ts';
import { extractor } from './support/extractor.ts';
import { newDataFolder } from './support/process.ts';
import { type ServedDatabase, serveDatabase } from './support/served-database.ts';

/*
 * Every operation is done once, and its effects are counted: each statement of SQL, COMMIT
 * included, and each call of the storage. Then it is done again and cut at each of them: in turn in each
 * of the ways, and with TEST_EFFORT in all of them.
 */

const CUTS: Cut[] = ['not done', 'reply lost', 'process gone'];
/** Those after which the caller does not know what was done. */
const LEFT_OPEN: Cut[] = ['reply lost', 'process gone'];
const GRANTED = 20;
const TEXTS = { 'a.txt': 'The fox is quick.', 'b.txt': 'The fox is slow.' };
const asked = { datasetId: 'docs', question: 'Is the fox quick?' };

const cuts = createCuts();
let database: ServedDatabase;
let folder: Awaited<ReturnType<typeof newDataFolder>>;
let app: App;
let deps: Dependencies;

beforeAll(async () => {
  database = await serveDatabase({ tables: true });
  folder = await newDataFolder();
  await start();
});
afterAll(async () => {
  await app.close();
  cuts.restore();
  await database.remove();
  await folder.remove();
});

/** What an operation is done on, and by whom. */
interface Scene {
  client: Client;
  customerId: string;
  files: { fileId: string }[];
}

/** What came of it. */
interface After extends Scene {
  /** Absent when the process was gone before it answered. */
  status: number | undefined;
  listed: string[];
  found: string[];
  /** What the customer paid for it. */
  paid: number;
  /** Which effect was cut. */
  effect: string;
}

interface Operation {
  /** Whether files are there before; `kept` when the operation leaves them there. */
  files: boolean | 'kept';
  act: (scene: Scene) => Promise<number>;
  /** All of them by default. */
  cuts?: Cut[];
  /** Whether it has an idempotency key: it is then repeated after it was cut. */
  repeated?: true;
  /** What must be true in the end, whatever was cut. */
  check: (after: After) => unknown;
}

const ALL = ['a.txt', 'b.txt'];
const rest =
  (method: string, path: string, body?: unknown) =>
  async ({ client }: Scene): Promise<number> =>
    (await client.rest(method, path, body)).status;

/** One key for each customer. */
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** Who got it has paid for it, and nobody else. */
function expectPaid({ status, paid, effect }: After, price: number): void {
  // What was delivered in the last tenth of a second before the process ended is given back.
  if (/pending_charge WHERE/.test(effect) && paid === 0 && status === 200) return;
  expect(paid).toBe(status === 200 ? price : 0);
}

/** The files are there if they are not gone, all of them. */
function expectDeleted({ status, listed, found, paid }: After, left: string[]): void {
  expect(found).toEqual(listed);
  if (status === 200) expect(listed).toEqual(left);
  else expect([ALL, left]).toContainEqual(listed);
  expect(paid).toBe(0);
}

const OPERATIONS: Record<string, Operation> = {
  'an upload of two files': {
    files: false,
    act: async ({ client }) => (await client.upload('docs', TEXTS)).status,
    check({ status, listed, found, paid }) {
      expect(found).toEqual(listed);
      if (status !== undefined) expect(listed).toEqual(status === 200 ? ALL : []);
      else expect([ALL, []]).toContainEqual(listed);
      expect(paid).toBe(listed.length);
    },
  },
  'an upload with a key': {
    files: false,
    cuts: LEFT_OPEN,
    repeated: true,
    act: async ({ client, customerId }) => {
      const form = new FormData();
      form.set('datasetId', 'docs');
      form.append('file', new Blob([TEXTS['a.txt']]), 'a.txt');
      return (await client.raw('POST', '/v1/files/upload', form, keyed(customerId))).status;
    },
    check: ({ listed, found, paid }) =>
      expect([listed, found, paid]).toEqual([['a.txt'], ['a.txt'], 1]),
  },
  'an upload that replaces a file': {
    files: true,
    cuts: ['process gone'],
    act: async ({ client }) =>
      (await client.upload('docs', { 'a.txt': 'The fox is late.' }, { onDuplicate: 'REPLACE' }))
        .status,
    check({ status, listed, found, paid }) {
      expect([listed, found]).toEqual([ALL, ALL]);
      if (status !== undefined) expect(paid).toBe(status === 200 ? 1 : 0);
    },
  },
  'a deletion': {
    files: true,
    act: (scene) => rest('DELETE', `/files/${scene.files[0]?.fileId}?datasetId=docs`)(scene),
    check: (after) => expectDeleted(after, ['b.txt']),
  },
  'a purge of a dataset': {
    files: true,
    act: rest('DELETE', '/datasets/docs/files'),
    check: (after) => expectDeleted(after, []),
  },
  'a purge of everything': {
    files: true,
    act: rest('DELETE', '/files'),
    check: (after) => expectDeleted(after, []),
  },
  'a search': {
    files: 'kept',
    act: rest('POST', '/search', asked),
    check: (after) => expectPaid(after, 0.1),
  },
  'a search with a key': {
    files: true,
    cuts: LEFT_OPEN,
    repeated: true,
    act: async ({ client, customerId }) =>
      (await client.raw('POST', '/v1/search', asked, keyed(customerId))).status,
    check: ({ paid }) => expect(paid).toBe(0.1),
  },
  'a question': {
    files: 'kept',
    act: rest('POST', '/query', { ...asked, stream: false }),
    check: (after) => expectPaid(after, 0.1),
  },
  'a stream': {
    files: 'kept',
    act: rest('POST', '/query', asked),
    check: (after) => expectPaid(after, 0.1),
  },
  'a token': {
    files: 'kept',
    // The effects: making a key, and looking it up for the first time.
    async act({ customerId }) {
      const { apiKey } = await app.admin.createKey(customerId);
      const client = createClient(app, apiKey);
      return (await client.rest('POST', '/tokens/create', { datasetId: 'docs' })).status;
    },
    check: ({ listed, paid }) => expect([listed, paid]).toEqual([ALL, 0]),
  },
  'a download link': {
    files: 'kept',
    act: (scene) => rest('GET', `/files/${scene.files[0]?.fileId}?datasetId=docs`)(scene),
    check: ({ listed, paid }) => expect([listed, paid]).toEqual([ALL, 0]),
  },
  'a sweep': {
    files: true,
    async act() {
      // An upload that was left behind, a deletion, and a charge of what never came.
      await app.maintenance.sweep();
      return 200;
    },
    check: ({ listed, found, paid }) => expect([listed, found, paid]).toEqual([[], [], 0]),
  },
  'a new model': {
    files: true,
    async act({ customerId }) {
      await reindexAs(customerId);
      return 200;
    },
    check: ({ listed, found, paid }) => expect([listed, found, paid]).toEqual([ALL, ALL, 0]),
  },
};

describe.each(Object.entries(OPERATIONS))('%s', (name, operation) => {
  let effects: string[];
  /** One for all cuts of an operation that leaves it as it was. */
  let kept: Scene | undefined;

  beforeAll(async () => {
    if (operation.files === 'kept') kept = await prepare(true);
    const whole = await play(name, operation, kept);
    await check(name, operation, [whole]);
    effects = whole.effects;
  });

  it('has effects', () => {
    expect(effects.length).toBeGreaterThan(0);
  });

  it.each(operation.cuts ?? CUTS)(
    'cut at them: %s',
    async (cut) => {
      const all: Played[] = [];
      for (const where of turnsOf(cut, operation.cuts ?? CUTS, effects)) {
        const played = await play(name, operation, kept, { cut, where });
        if (kept) await check(name, operation, [played]);
        else all.push(played);
      }
      await check(name, operation, all);
    },
    120_000,
  );
});

/** The effects that are cut in this way. */
function turnsOf(cut: Cut, ways: Cut[], effects: string[]): number[] {
  const turn = ways.indexOf(cut);
  return [...effects.keys()].filter((at) => EFFORT > 1 || at % ways.length === turn);
}

it.each(CUTS)(
  'a new customer, cut at each effect: %s',
  async (cut) => {
    const create = (name: string) => app.admin.createCustomer({ name, credits: '5' });
    cuts.begin();
    await create('whole');
    const effects = cuts.end();
    expect(effects).toContainEqual(expect.stringMatching(/^COMMIT/));
    for (let where = 0; where < effects.length; where++) {
      const name = `${cut} ${where}`;
      cuts.begin({ cut, where });
      const made = await Promise.race([create(name).catch(() => undefined), cuts.gone]);
      cuts.end();
      if (cut === 'process gone') await start();
      const rows = await ask<{ credits: string; sum: string; keys: number }>(
        database.connection,
        `SELECT trim_scale(credits)::text AS credits, trim_scale(sum(amount))::text AS sum, keys
       FROM (SELECT customer.key, count(api_key.id)::int AS keys
         FROM customer LEFT JOIN api_key ON api_key.customer_key = key
         WHERE name = '${name}' GROUP BY key) AS customer
         JOIN balance ON balance.customer_key = customer.key
         JOIN credit_entry USING (customer_key)
       GROUP BY customer_key, credits, keys`,
      );
      expect([[], [{ credits: '5', sum: '5', keys: 1 }]]).toContainEqual(rows);
      if (made) expect(rows).toHaveLength(1);
    }
  },
  120_000,
);

it('leaves nothing wrong of anybody', async () => {
  expect(await app.maintenance.verify({ youngMinutes: 0 })).toMatchObject({ found: 0, drifts: [] });
  expect(await app.maintenance.countIntents()).toMatchObject({ files: 0, charges: 0 });
});

/** An operation that was done, cut or whole. */
interface Played extends Scene {
  status: number | undefined;
  effects: string[];
  before: number;
  cut: { cut: Cut; where: number } | undefined;
}

/** Does an operation, for a customer of its own unless a scene is given. */
async function play(
  name: string,
  { files, act }: Operation,
  kept: Scene | undefined,
  cut?: { cut: Cut; where: number },
): Promise<Played> {
  const { client, ...rest } = kept ?? (await prepare(files === true));
  // The gateway may be another one by now.
  const scene = { ...rest, client: createClient(app, client.credential) };
  // The charges of what was done before are no effects of the operation.
  await app.settle();
  const before = await creditsOf(scene);
  if (name === 'a sweep') await leaveBehind(scene);
  cuts.begin(cut);
  const status = await Promise.race([act(scene).catch(() => 500), cuts.gone]);
  await Promise.race([app.settle(), cuts.gone]);
  const effects = cuts.end();
  if (cut?.cut === 'process gone') await start();
  return { ...scene, status, effects, before, cut };
}

/** Sweeps, and looks what came of operations. */
async function check(name: string, operation: Operation, all: Played[]): Promise<void> {
  if (operation.repeated) await repeat(operation, all);
  await ask(
    database.connection,
    `UPDATE pending_file SET due = now(), keep_until = NULL;
     UPDATE pending_charge SET due = now()`,
  );
  expect(await app.maintenance.sweep()).toMatchObject({ failed: 0 });
  for (const played of all) {
    const { status, effects, before, cut, customerId } = played;
    const effect = effects[cut?.where ?? -1] ?? '';
    // It can be done again, and goes on where it was.
    if (name === 'a new model') await reindexAs(customerId);
    const paid = Math.round((before - (await creditsOf(played))) * 10) / 10;
    const { drifts } = await app.maintenance.verify({ customer: customerId, youngMinutes: 0 });
    const docs = createDataset(createClient(app, played.client.credential), 'docs');
    const listed = await docs.listed();
    const found = name === 'a new model' ? await foundByOther(played) : await docs.found();
    try {
      expect(drifts).toEqual([]);
      operation.check({ ...played, effect, listed, found, paid });
    } catch (error) {
      throw new Error(`${cut?.cut} at ${cut?.where}, ${status}: ${effect}`, { cause: error });
    }
  }
}

/** Repeats what was cut, after the leases of processes that ended. */
async function repeat({ act }: Operation, all: Played[]): Promise<void> {
  await ask(
    database.connection,
    'UPDATE idempotency_key SET lease_end = now() WHERE lease_end IS NOT NULL',
  );
  for (const { client, cut, effects, ...scene } of all) {
    const status = await act({ ...scene, client: createClient(app, client.credential) });
    if (status !== 200)
      throw new Error(`${cut?.cut}: ${status} after ${effects[cut?.where ?? -1]}`);
  }
}

async function start(): Promise<void> {
  const settings = { ...database.settings, DATA_DIR: folder.dataDir };
  const config = readConfig({ PUBLIC_URL: 'http://filequery.test', ...settings });
  app = await createApp(config, createLog('silent'), (given) => {
    // One for all: loading what it needs takes longer than anything else here.
    deps = cuts.override({ ...given, extractor });
    return deps;
  });
}

async function prepare(files: boolean): Promise<Scene> {
  const { customerId, apiKey } = await app.admin.createCustomer({
    name: 'cut',
    credits: String(GRANTED),
  });
  const client = createClient(app, apiKey);
  const uploaded = files ? (await client.upload('docs', TEXTS)).body.files : [];
  return { client, customerId, files: uploaded };
}

async function creditsOf({ customerId }: Scene): Promise<number> {
  return Number((await app.admin.showCredits(customerId)).credits);
}

/** What processes that ended left: deletions, and a charge of what never came. */
async function leaveBehind({ customerId }: Scene): Promise<void> {
  await ask(
    database.connection,
    `WITH mine AS (
       UPDATE balance SET credits = credits - 1 FROM customer
       WHERE customer_key = key AND id = '${customerId}' RETURNING key
     ), open AS (
       INSERT INTO pending_charge (customer_key, id, due)
       SELECT key, gen_random_uuid(), now() FROM mine RETURNING customer_key, id
     ), booked AS (
       INSERT INTO credit_entry (customer_key, charge, amount, reason)
       SELECT customer_key, id, -1, 'search' FROM open
     )
     INSERT INTO pending_file (customer_key, loader_key, path, due)
     SELECT customer_key, loader_key, path, now() FROM file JOIN mine ON customer_key = key`,
  );
}

async function reindexAs(customerId: string): Promise<void> {
  const { prisma, index, embeddings } = deps;
  const { key: customerKey } = await prisma.customer.findUniqueOrThrow({
    where: { id: customerId },
  });
  const other = otherModel(embeddings);
  await createReindex({ prisma, index, embeddings: other }, 0)({ customerKey }, () => {});
}

/** A model that knows the same and says it otherwise. */
function otherModel(model: EmbeddingModel): EmbeddingModel {
  const embedTexts: EmbeddingModel['embedTexts'] = async (...texts) =>
    (await model.embedTexts(...texts)).map((vector) => vector.toReversed());
  return { ...model, name: 'another model', embedTexts };
}

/** The files of the chunks that a search with the other model looks at. */
async function foundByOther({ customerId }: Scene): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    database.connection,
    `SELECT metadata->>'originalName' AS name FROM chunk
     JOIN dataset ON dataset.customer_key = chunk.customer_key AND dataset.key = dataset_key
     JOIN customer ON customer.key = chunk.customer_key
     WHERE customer.id = '${customerId}' AND embedding_model = 'another model' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}
