import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '../../src/core/model.ts';
import {
  IngestionChangedDocument,
  IngestionDocument,
  NodeDocument,
  type OnDuplicate,
  ViewerDocument,
} from '../../src/generated/graphql.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { startCollector } from '../support/collector.ts';
import { ask } from '../support/databases.ts';
import { createFaults } from '../support/faults.ts';
import { startGateway, startOn, type TestGateway } from '../support/gateway.ts';
import { sendForm, startUpload } from '../support/graphql.ts';
import { subscribe } from '../support/watch.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;

/** Ports that browsers refuse, and Node's `fetch` with them; a webhook may be on any. */
const REFUSED_PORTS = [6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080];

const faults = createFaults();
let gateway: TestGateway;
let server: Listening;
let receiver: Awaited<ReturnType<typeof startCollector>>;
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  receiver = await startCollector(REFUSED_PORTS);
  const settings = { WEBHOOK_URL: `${receiver.url}/hook`, WEBHOOK_SECRET: SECRET };
  gateway = await startGateway(settings, faults.override);
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  me = await newCustomer(gateway, '100');
});
afterEach(async () => {
  faults.mend();
  // Tests count what the gateway works on.
  await expect.poll(open).toEqual([]);
});
afterAll(async () => {
  await server.stop();
  await gateway.close();
  await receiver.close();
});

type Ended = NonNullable<Awaited<ReturnType<typeof read>>>;

/** Starts an upload and follows it to its end. @returns the statuses it had, and what it is at last */
async function follow(
  files: Record<string, string>,
  datasetId = 'docs',
  { client = me, ...more }: { client?: Client; onDuplicate?: OnDuplicate } = {},
) {
  const { data, errors } = await startUpload(client, datasetId, files, more);
  expect(errors).toEqual([]);
  const { ingestionId, id, status } = data.startUpload.ingestion;
  expect(status).toMatch(/PENDING|RUNNING/);
  const events = subscribe(server.url, me.apiKey, IngestionChangedDocument, { ingestionId });
  const seen = [];
  for (;;) {
    const { ingestionChanged: next } = await events.next();
    seen.push(next.status);
    if (next.status === 'COMPLETED' || next.status === 'FAILED') break;
  }
  await expect(events.next()).rejects.toThrow('the stream has ended');
  return { id, ingestionId, seen, ended: (await read(ingestionId)) as Ended };
}

async function read(ingestionId: string, client = createClient(gateway, me.apiKey)) {
  const { data, errors } = await client.graphql(IngestionDocument, { ingestionId });
  expect(errors).toEqual([]);
  return data.ingestion;
}

function open(): Promise<unknown[]> {
  return ask(gateway.connection, 'SELECT FROM ingestion WHERE due IS NOT NULL');
}

async function creditsLeft(): Promise<string | null | undefined> {
  return (await me.graphql(ViewerDocument)).data.viewer?.credits;
}

describe('an asynchronous upload', () => {
  it('is followed to its end, and its files are searched', async () => {
    const { id, ended } = await follow({ 'fox.txt': 'The fox is quick.', 'b.md': '# Bees' });
    expect(ended).toMatchObject({
      id,
      status: 'COMPLETED',
      progress: 1,
      fileCount: 2,
      error: null,
      files: [{ originalName: 'fox.txt' }, { originalName: 'b.md' }],
      finishedAt: expect.any(String),
    });
    expect(await creditsLeft()).toBe('98');
    const { body } = await me.rest('POST', '/search', { datasetId: 'docs', question: 'fox' });
    expect(body.data[0].metadata.originalName).toBe('fox.txt');
    const node = await me.graphql(NodeDocument, { id });
    expect(node.data.node?.id).toBe(id);
  });

  it('that fails leaves no file, and costs nothing', async () => {
    const before = await creditsLeft();
    const { ended } = await follow({ 'good.txt': 'Good.', 'blank.txt': ' \n ' }, 'failed');
    expect(ended).toMatchObject({
      status: 'FAILED',
      error: { code: 'UNREADABLE_FILE', message: expect.stringContaining('blank.txt') },
      files: [],
    });
    expect(await creditsLeft()).toBe(before);
    const left = () => ask(gateway.connection, 'SELECT FROM pending_file');
    await expect.poll(left).toEqual([]);
    expect((await me.rest('GET', '/files?datasetId=failed')).body.files).toEqual([]);
    const names = (await gateway.storedPaths()).filter((path) => path.includes('failed'));
    expect(names).toEqual([]);
  });

  it('is refused at once for what is known at once, and costs nothing', async () => {
    const before = await creditsLeft();
    const refused = await startUpload(me, 'docs', { 'empty.txt': '' });
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UNREADABLE_FILE' } }]);
    const poor = await newCustomer(gateway, '1');
    const { errors } = await startUpload(poor, 'docs', { 'a.txt': 'A.', 'b.txt': 'B.' });
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_CREDITS' } }]);
    expect(await creditsLeft()).toBe(before);
  });

  it('is begun once with one idempotency key', async () => {
    const before = Number(await creditsLeft());
    const begin = (files: Record<string, string>) =>
      startUpload(me, 'docs', files, { idempotencyKey: 'begin-once' });
    const [first, second] = [await begin({ 'a.txt': 'A.' }), await begin({ 'a.txt': 'A.' })];
    expect(second.data.startUpload.ingestion.id).toBe(first.data.startUpload.ingestion.id);
    expect(before - Number(await creditsLeft())).toBe(1);
    const { errors } = await begin({ 'b.txt': 'B.' });
    expect(errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }]);
  });

  it('is tried again after an outage', async () => {
    const tries: string[] = [];
    faults.before('index.add', ([, chunks]) => {
      tries.push(...(chunks as Chunk[]).map(({ content }) => content));
      if (tries.length === 1) throw Object.assign(new Error('gone'), { code: '57P01' });
    });
    const { data } = await startUpload(me, 'outage', { 'a.txt': 'Tried twice.' });
    const { ingestionId } = data.startUpload.ingestion;
    await expect.poll(() => tries).toEqual(['Tried twice.']);
    const soon = `UPDATE ingestion SET due = now() WHERE status = 'PENDING' RETURNING 1`;
    await expect.poll(() => ask(gateway.connection, soon)).toHaveLength(1);
    // The gateway would look some seconds later by itself.
    await follow({ 'b.txt': 'Tried once.' }, 'outage');
    await expect.poll(async () => (await read(ingestionId))?.status).toBe('COMPLETED');
    expect(tries.toSorted()).toEqual(['Tried once.', 'Tried twice.', 'Tried twice.']);
  });

  it('is handed over by gateways that are stopped, however many', async () => {
    faults.before(`sql:SET status = 'RUNNING'`, () => {
      throw new Error('not this gateway');
    });
    const { data } = await startUpload(me, 'stops', { 'a.txt': 'Begun seven times.' });
    const { ingestionId } = data.startUpload.ingestion;
    const status = async () => (await read(ingestionId))?.status;
    for (let stops = 0; stops < 6; stops++) {
      const other = await startOn(gateway, {}, (deps) => ({
        ...deps,
        embeddings: {
          ...deps.embeddings,
          embedTexts: async (_, signal) => {
            if (signal) await once(signal, 'abort');
            throw signal?.reason;
          },
        },
      }));
      await expect.poll(status).toBe('RUNNING');
      await other.close();
      expect(await status()).toBe('PENDING');
    }
    faults.mend();
    await expect.poll(status).toBe('COMPLETED');
  });

  it('is open twenty times at most, two of them are worked on', async () => {
    const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
    faults.before('index.add', () => blocked);
    const customer = await newCustomer(gateway);
    const start = () => startUpload(customer, 'docs', { 'a.txt': 'Text.' });
    for (let count = 0; count < 3; count++) expect((await start()).errors).toEqual([]);
    const running = `SELECT FROM ingestion WHERE status = 'RUNNING'`;
    await expect.poll(() => ask(gateway.connection, running)).toHaveLength(2);
    await ask(
      gateway.connection,
      `INSERT INTO ingestion (customer_key, id, dataset_id, files, chunk_size, chunk_overlap,
         file_count, request_id)
       SELECT key, gen_random_uuid(), 'docs', '[]', 300, 20, 1, 'many' FROM customer, generate_series(4, 20)
       WHERE customer.id = '${customer.customerId}'`,
    );
    expect((await start()).errors).toMatchObject([
      { extensions: { code: 'TOO_MANY_INGESTIONS', limit: 20 } },
    ]);
    expect(await ask(gateway.connection, running)).toHaveLength(2);
    unblock();
    await expect.poll(open).toEqual([]);
    await ask(gateway.connection, `DELETE FROM ingestion WHERE request_id = 'many'`);
    expect((await start()).errors).toEqual([]);
  });

  it('is of its customer, and for a token of its dataset', async () => {
    const { ingestionId } = await follow({ 'a.txt': 'Text.' });
    const other = await newCustomer(gateway);
    const { token } = await gateway.admin.createToken(me.customerId, 'elsewhere');
    const { token: own } = await gateway.admin.createToken(me.customerId, 'docs');
    for (const client of [other, createClient(gateway, token)]) {
      expect(await read(ingestionId, client)).toBeNull();
      const { next } = subscribe(server.url, client.credential ?? '', IngestionChangedDocument, {
        ingestionId,
      });
      await expect(next()).rejects.toThrow('INGESTION_NOT_FOUND');
    }
    expect(await read(ingestionId, createClient(gateway, own))).toMatchObject({ progress: 1 });
    expect(await read('walrus')).toBeNull();
    const nobody = await sendForm(createClient(gateway), new FormData());
    expect(nobody.errors).toMatchObject([{ extensions: { code: 'MISSING_CREDENTIAL' } }]);
  });

  it('is forgotten a week after its end', async () => {
    const { ingestionId } = await follow({ 'a.txt': 'Text.' });
    const age = (days: number) =>
      ask(
        gateway.connection,
        `UPDATE ingestion SET finished = now() - interval '${days} days' WHERE id = '${ingestionId}'`,
      );
    await age(6);
    await gateway.maintenance.sweep();
    expect(await read(ingestionId)).not.toBeNull();
    await age(8);
    await gateway.maintenance.sweep();
    expect(await read(ingestionId)).toBeNull();
  });
});

describe('duplicates of an asynchronous upload', () => {
  const FOX = 'The fox is quick.';
  const OWL = 'The owl is wise.';
  const listed = async (datasetId: string) =>
    (await me.rest('GET', `/files?datasetId=${datasetId}`)).body.files.map(
      ({ originalName }: { originalName: string }) => originalName,
    );
  const drifts = async () =>
    (await gateway.maintenance.verify({ customer: me.customerId, youngMinutes: 0 })).drifts;

  it('SKIP: what is there is neither stored nor paid, also if that is all', async () => {
    await me.upload('skip', { 'fox.txt': FOX });
    const before = Number(await creditsLeft());
    const sent = { 'copy.txt': FOX, 'owl.txt': OWL, 'fox.txt': OWL };
    expect((await follow(sent, 'skip', { onDuplicate: 'SKIP' })).ended).toMatchObject({
      fileCount: 1,
      files: [{ originalName: 'owl.txt' }],
      skipped: [{ originalName: 'fox.txt' }, { originalName: 'owl.txt' }],
      replacedFileIds: [],
    });
    const again = await follow(sent, 'skip', { onDuplicate: 'SKIP' });
    expect(again.ended).toMatchObject({ fileCount: 0, progress: 1, files: [] });
    expect(again.ended.skipped.map(({ originalName }) => originalName)).toEqual([
      ...['fox.txt', 'owl.txt', 'owl.txt'],
    ]);
    expect(before - Number(await creditsLeft())).toBe(1);
    expect(await listed('skip')).toEqual(['owl.txt', 'fox.txt']);
    const wanted = { datasetId: 'skip', permissions: ['UPLOAD'] };
    const { token } = (await me.rest('POST', '/tokens/create', wanted)).body;
    const { ingestionId } = again;
    const seen = await createClient(gateway, token).graphql(IngestionDocument, { ingestionId });
    expect(seen.errors).toMatchObject([{ extensions: { code: 'PERMISSION_DENIED' } }]);
  });

  it('SKIP: what comes in the meantime is skipped at the end, and its credits are given back', async () => {
    const before = Number(await creditsLeft());
    const wanted = { datasetId: 'late', maxCredits: '5' };
    const { body } = await me.rest('POST', '/tokens/create', wanted);
    const client = createClient(gateway, body.token);
    let late: Promise<unknown> | undefined;
    faults.before('index.add', () => {
      if (late) return;
      late = me.upload('late', { 'first.txt': FOX });
      return late;
    });
    const sent = { 'second.txt': FOX, 'owl.txt': OWL };
    const { ended } = await follow(sent, 'late', { client, onDuplicate: 'SKIP' });
    expect(ended).toMatchObject({
      fileCount: 1,
      files: [{ originalName: 'owl.txt' }],
      skipped: [{ originalName: 'first.txt' }],
    });
    expect(before - Number(await creditsLeft())).toBe(2);
    const { data } = await client.graphql('{ viewer { token { creditsLeft } } }');
    expect(data.viewer.token.creditsLeft).toBe('4');
    expect(await listed('late')).toEqual(['owl.txt', 'first.txt']);
    await expect.poll(drifts).toEqual([]);
  });

  it('REPLACE: files with its name go when it is complete; not those that a token cannot see', async () => {
    const ofTeam = (team: string) => ({ metadata: JSON.stringify({ 0: { team } }) });
    const { body } = await me.upload('replace', { 'fox.txt': FOX }, ofTeam('a'));
    await me.upload('replace', { 'fox.txt': FOX }, ofTeam('b'));
    const filters = [{ key: 'team', match: { value: 'a' } }];
    const made = await me.rest('POST', '/tokens/create', { datasetId: 'replace', filters });
    const client = createClient(gateway, made.body.token);
    const { ingestionId, ended } = await follow({ 'fox.txt': OWL }, 'replace', {
      ...{ client, onDuplicate: 'REPLACE' },
    });
    const { fileId } = body.files[0];
    const replacedFileIds = [btoa(`File:${fileId}:replace`)];
    expect(ended).toMatchObject({ fileCount: 1, skipped: [], replacedFileIds });
    expect(await read(ingestionId, client)).toMatchObject({ replacedFileIds });
    expect(await listed('replace')).toEqual(['fox.txt', 'fox.txt']);
    const gone = await me.rest('GET', `/files/${fileId}?datasetId=replace`);
    expect(gone.status).toBe(404);
    await expect.poll(drifts).toEqual([]);
  });
});

it('the webhook is told of the end, signed, and again until it answers 2xx', async () => {
  await expect
    .poll(() => ask(gateway.connection, 'SELECT FROM ingestion WHERE webhook_due IS NOT NULL'))
    .toEqual([]);
  receiver.requests.length = 0;
  receiver.refuse(1);
  const { ingestionId, ended } = await follow({ 'told.txt': 'Secret text.' });
  await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBe(2);
  const [first, second] = receiver.requests;
  expect(second?.body).toBe(first?.body);
  for (const { headers, body, path } of receiver.requests) {
    expect(path).toBe('/hook');
    const id = headers['webhook-id'];
    expect(id).toBe(`ingestion_${ingestionId}`);
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(SECRET.slice(6), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  }
  expect(JSON.parse(second?.body ?? '')).toEqual({
    type: 'ingestion.completed',
    timestamp: ended.finishedAt,
    data: {
      ingestionId,
      customerId: me.customerId,
      datasetId: 'docs',
      fileIds: ended.files.map(({ fileId }) => fileId),
    },
  });
});
