import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { IngestionDocument } from '../src/generated/graphql.ts';
import { createLog } from '../src/runtime/log.ts';
import { createOperator, type Operator } from '../src/runtime/operator.ts';
import type { Admin } from '../src/use-cases/accounts/admin.ts';
import { audit } from './support/audit.ts';
import { type Client, createClient } from './support/client.ts';
import { ask } from './support/databases.ts';
import { deltasOf, parseEvents } from './support/events.ts';
import { startUpload } from './support/graphql.ts';
import { graphqlTransport } from './support/graphql-transport.ts';
import { KEY, type OpenAiDouble, startOpenAiDouble } from './support/openai-double.ts';
import { type GatewayProcess, newDataFolder, startProcess } from './support/process.ts';
import { HAS_REDIS, type RedisServer, startRedis } from './support/redis.ts';
import { restTransport } from './support/rest-transport.ts';
import { type ServedDatabase, serveDatabase } from './support/served-database.ts';
import { resultOf } from './support/transport.ts';

/* Two gateways, each a process of its own, on one database, one folder of copies and one Redis. */

const docs = { datasetId: 'docs' };
const question = { ...docs, question: 'Is the fox quick?' };

let database: ServedDatabase;
let folder: Awaited<ReturnType<typeof newDataFolder>>;
let redis: RedisServer | undefined;
let models: OpenAiDouble;
let settings: Record<string, string>;
/** What the operator works with beside them. */
let operator: Operator;
let admin: Admin;
let one: GatewayProcess;
let other: GatewayProcess;
let apiKey: string;
let customerId: string;

beforeAll(async () => {
  // Without tables: who starts first makes them, and both start at once.
  database = await serveDatabase({ tables: false });
  folder = await newDataFolder();
  redis = HAS_REDIS ? await startRedis() : undefined;
  models = await startOpenAiDouble();
  settings = {
    ...database.settings,
    ...(redis && { REDIS_URL: redis.url }),
    OPENAI_BASE_URL: models.url,
    OPENAI_API_KEY: KEY,
    EMBEDDING_MODEL: 'offline',
    LOG_LEVEL: 'error',
  };
  [one, other] = await Promise.all([start(), start()]);
  const config = readConfig({ DATA_DIR: folder.dataDir, ...settings });
  operator = createOperator(config, createLog('silent'));
  admin = await operator.admin();
  ({ apiKey, customerId } = await admin.createCustomer({ name: 'ACME', credits: '10' }));
});
afterAll(async () => {
  for (const { child, ended } of [one, other]) {
    child.kill('SIGTERM');
    await ended;
  }
  await operator.close();
  await models.close();
  await redis?.close();
  await folder.remove();
  await database.remove();
});

const start = () => startProcess(folder.dataDir, settings);
const clients = (credential = apiKey) =>
  [one, other].map((gateway) => createClient(gateway, credential)) as [Client, Client];

it('what goes into one is found, read and deleted through the other', async () => {
  const [here, there] = clients();
  const { files } = resultOf(
    await restTransport.upload(here, { ...docs, files: { 'fox.txt': 'The fox is quick.' } }),
  );
  const fileId = files[0]?.fileId ?? '';
  expect(resultOf(await graphqlTransport.search(there, question))).toHaveLength(1);
  const { permanentUrl = '' } = resultOf(await restTransport.get(there, { ...docs, fileId }));
  for (const gateway of [one, other]) {
    const copy = await gateway.fetch(new Request(permanentUrl));
    expect(await copy.text()).toBe('The fox is quick.');
  }
  resultOf(await restTransport.remove(there, { ...docs, fileId }));
  expect(resultOf(await restTransport.list(here, docs))).toEqual([]);
});

it('a token of one is taken by the other', async () => {
  const { token } = resultOf(await restTransport.createToken(clients()[0], docs));
  expect(resultOf(await restTransport.list(clients(token)[1], {}))).toEqual([]);
});

it('credits are spent together, and to the last', async () => {
  const made = await admin.createCustomer({ name: 'Poor', credits: '1' });
  const poor = clients(made.apiKey);
  const asked = Array.from({ length: 30 }, (_, at) =>
    restTransport.search(poor[at % 2 === 0 ? 0 : 1], question),
  );
  const outcomes = await Promise.all(asked);
  expect(outcomes.filter((outcome) => 'result' in outcome)).toHaveLength(10);
  expect(await admin.showCredits('Poor')).toMatchObject({ credits: '0' });
});

it('a key that is revoked is refused by both', async () => {
  const { apiKey: unused, prefix } = await admin.createKey('ACME');
  await admin.revokeKey(prefix);
  for (const client of clients(unused)) {
    expect(await restTransport.list(client, docs)).toMatchObject({ status: 401 });
  }
});

it.runIf(HAS_REDIS)('rate limits are counted together', async () => {
  const [here, there] = clients();
  const left = [];
  for (const client of [here, there, here]) {
    const { headers } = await client.rest('DELETE', '/datasets/none/files');
    left.push(headers.get('x-ratelimit-remaining'));
  }
  expect(left).toEqual(['9', '8', '7']);
});

it('one that is killed in mid-stream takes nothing with it, and its uploads are swept', async () => {
  const [here, there] = clients();
  const text = 'The fox is quick, and nobody in the whole wide forest has ever caught it. ';
  resultOf(await restTransport.upload(here, { ...docs, files: { 'fox.txt': text } }));
  // An upload that is half-way, with its intent recorded: its chunks are many.
  const large = { 'large.txt': text.repeat(100_000) };
  const upload = restTransport.upload(here, { ...docs, files: large }).catch(() => 'cut');
  await expect.poll(pendingFiles, { timeout: 10_000 }).toBe(1);
  // Answers that take seconds, both begun.
  models.behave({ pace: 150 });
  const [killed, kept] = await Promise.all([begin(here), begin(there)]);

  one.child.kill('SIGKILL');
  await expect(killed.rest()).rejects.toThrow();
  expect(await upload).toBe('cut');
  const events = parseEvents(await kept.rest());
  expect(deltasOf(events).join('')).toContain(text.trim());
  expect(events.at(-1)).toEqual({ done: true });
  models.mend();
  const listed = resultOf(await restTransport.list(there, docs));
  expect(listed).toMatchObject([{ originalName: 'fox.txt' }]);
  expect(resultOf(await restTransport.search(there, question))).toHaveLength(1);

  one = await start();
  await ask(database.connection, 'UPDATE pending_file SET due = now()');
  const { sweep } = await operator.maintenance();
  const swept = await Promise.all([sweep(), sweep()]);
  // One of them has it, or the gateway, which sweeps at its start.
  expect(swept.reduce((sum, { removed }) => sum + removed, 0)).toBeLessThanOrEqual(1);
  await expect.poll(pendingFiles, { timeout: 10_000 }).toBe(0);
  expect(resultOf(await restTransport.list(clients()[0], docs))).toEqual(listed);
});

it('an asynchronous upload of one that is killed is completed by the other, once', async () => {
  const [here, there] = clients();
  const { credits: before } = await admin.showCredits('ACME');
  const text = 'The fox is quick, and nobody in the whole wide forest has ever caught it. ';
  const { data } = await startUpload(here, 'later', { 'large.txt': text.repeat(50_000) });
  const { ingestionId } = data.startUpload.ingestion;
  const chunks = async () => {
    const sql = `SELECT count(*)::int AS count, count(DISTINCT position)::int AS positions
      FROM chunk JOIN dataset ON dataset_key = dataset.key WHERE dataset.id = 'later'`;
    const [row] = await ask<{ count: number; positions: number }>(database.connection, sql);
    return row;
  };
  await expect
    .poll(async () => (await chunks())?.count, { interval: 10, timeout: 10_000 })
    .toBeGreaterThan(0);
  one.child.kill('SIGKILL');
  await one.ended;
  const read = async () =>
    (await there.graphql(IngestionDocument, { ingestionId })).data.ingestion?.status;
  expect(await read()).toBe('RUNNING');
  // Its lease is over after a minute.
  await ask(database.connection, 'UPDATE ingestion SET due = now() WHERE finished IS NULL');
  await expect.poll(read, { timeout: 30_000 }).toBe('COMPLETED');
  const found = await chunks();
  expect(found?.positions).toBe(found?.count);
  expect(resultOf(await restTransport.list(there, { datasetId: 'later' }))).toHaveLength(1);
  const { credits: after } = await admin.showCredits('ACME');
  expect(Number(before) - Number(after)).toBeCloseTo(1);
  one = await start();
});

it('all that is left is whole, and what was paid is booked', async () => {
  const [here, there] = clients();
  const uploads = Array.from({ length: 8 }, (_, at) =>
    graphqlTransport.upload(at % 2 === 0 ? here : there, {
      datasetId: `d${at % 3}`,
      files: { [`${at}.txt`]: `Text number ${at}.` },
    }),
  );
  const deletions = [
    restTransport.purgeDataset(here, 'd0'),
    restTransport.purgeDataset(there, 'd0'),
  ];
  await Promise.all([...uploads, ...deletions]);
  await pause(50);
  const { connection } = database;
  const { 'nothing waits on the disk': left, ...wrong } = await audit({ ...folder, connection });
  expect(wrong).toEqual({});
  // What the killed ones received goes a quarter of an hour later: it might be another gateway's. The
  // asynchronous upload is the other's if that took it first.
  expect([1, 2]).toContain(left?.length);
  const [row] = await ask<{ paid: string }>(
    connection,
    `SELECT trim_scale(sum(amount))::text AS paid FROM credit_entry
     JOIN customer ON customer.key = customer_key WHERE customer.id = '${customerId}'`,
  );
  const { credits } = await admin.showCredits(customerId);
  expect(credits).toBe(row?.paid);
});

async function pendingFiles(): Promise<number> {
  const sql = 'SELECT count(*)::int FROM pending_file';
  const [row] = await ask<{ count: number }>(database.connection, sql);
  return row?.count ?? 0;
}

/** Asks, and reads the first piece of the answer. */
async function begin(client: Client): Promise<{ rest(): Promise<string> }> {
  const { body } = await client.raw('POST', '/v1/query', question);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  expect(text).toMatch(/^data: /);
  return {
    /** All of it, when it has ended. */
    async rest() {
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
        text += next.value;
      }
      return text;
    },
  };
}
