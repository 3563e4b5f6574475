import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeleteFileDocument, FilesDocument } from '../../src/generated/graphql.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { newCustomer } from '../support/client.ts';
import { ask } from '../support/databases.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { watch } from '../support/watch.ts';

const docs = { datasetId: 'docs' };

let gateway: TestGateway;
let server: Listening;
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  gateway = await shareGateway();
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  me = await newCustomer(gateway);
});
afterAll(async () => {
  await server.stop();
  await gateway.close();
});

const start = (more: { datasetId?: string; after?: string } = docs, credential = me.apiKey) =>
  watch(server.url, credential, more);

it('tells of files that come and go, with what a cache needs', async () => {
  const events = start({ datasetId: 'new' });
  expect(await events.next()).toMatchObject({ __typename: 'DatasetWatched', dataset: null });
  await me.upload('new', { 'a.txt': 'Apples.', 'b.txt': 'Bananas.' });
  const added = [await events.next(), await events.next()];
  expect(
    added
      .map((event) => (event.__typename === 'FileAdded' ? event.file.originalName : event))
      .sort(),
  ).toEqual(['a.txt', 'b.txt']);
  expect(added[0]).toMatchObject({ dataset: { fileCount: 2 } });
  const { data } = await me.graphql(FilesDocument, { datasetId: 'new' });
  const file = data.files?.nodes[0];
  await me.graphql(DeleteFileDocument, { datasetId: 'new', fileId: file?.fileId ?? '' });
  expect(await events.next()).toMatchObject({
    __typename: 'FileRemoved',
    deletedFileId: file?.id,
    fileId: file?.fileId,
    dataset: { fileCount: 1 },
  });
  await events.leave();
});

it('says nothing of files that were not published', async () => {
  const events = start();
  await events.next();
  expect(await me.upload('docs', { 'good.txt': 'Text.', 'empty.txt': '' })).toMatchObject({
    status: 422,
  });
  await me.upload('other', { 'other.txt': 'Text.' });
  await me.upload('docs', { 'last.txt': 'Text.' });
  expect(await events.next()).toMatchObject({ file: { originalName: 'last.txt' } });
  await events.leave();
});

describe('with after', () => {
  it('goes on where a subscription ended, and leaves out what is gone again', async () => {
    const before = start({ datasetId: 'gap' });
    const { cursor } = await before.next();
    await before.leave();
    const { body } = await me.upload('gap', { 'brief.txt': 'Text.' });
    const { fileId } = body.files[0];
    await me.graphql(DeleteFileDocument, { datasetId: 'gap', fileId });
    await me.upload('gap', { 'kept.txt': 'Text.' });
    const events = start({ datasetId: 'gap', after: cursor });
    expect(await events.next()).toMatchObject({ __typename: 'DatasetWatched', cursor });
    expect(await events.next()).toMatchObject({ __typename: 'FileRemoved', fileId });
    expect(await events.next()).toMatchObject({ file: { originalName: 'kept.txt' } });
    await events.leave();
  });

  it('has the list read again when changes are no longer known', async () => {
    const before = start({ datasetId: 'old' });
    const { cursor } = await before.next();
    await before.leave();
    await me.upload('old', { 'a.txt': 'Text.' });
    await ask(
      gateway.connection,
      `UPDATE dataset_change SET created = now() - interval '2 hours' WHERE dataset_id = 'old'`,
    );
    await gateway.maintenance.sweep();
    const events = start({ datasetId: 'old', after: cursor });
    await events.next();
    const { __typename, cursor: latest } = await events.next();
    expect(__typename).toBe('FilesChanged');
    await events.leave();
    const later = start({ datasetId: 'old', after: latest });
    await later.next();
    await me.upload('old', { 'b.txt': 'Text.' });
    expect(await later.next()).toMatchObject({ file: { originalName: 'b.txt' } });
    await later.leave();
  });

  it.each(['walrus', 'WyItMSJd', 'WyJhIl0'])('refuses the cursor %s', async (after) => {
    await expect(start({ ...docs, after }).next()).rejects.toThrow('INVALID_INPUT');
  });
});

it('has the list read again after a purge of more than a hundred files', async () => {
  const uploads = Array.from({ length: 6 }, (_, at) =>
    me.upload(
      'many',
      Object.fromEntries(Array.from({ length: 20 }, (__, n) => [`${at}-${n}.txt`, 'Text.'])),
    ),
  );
  await Promise.all(uploads);
  const events = start({ datasetId: 'many' });
  await events.next();
  await me.rest('DELETE', '/datasets/many/files');
  expect(await events.next()).toMatchObject({
    __typename: 'FilesChanged',
    dataset: { fileCount: 0 },
  });
  await events.leave();
});

describe('is of one customer, and for a token of one dataset:', () => {
  it('files of others are not told', async () => {
    const { token } = await gateway.admin.createToken(me.customerId, 'mine');
    const other = await newCustomer(gateway);
    const events = start({}, token);
    await events.next();
    await other.upload('mine', { 'foreign.txt': 'Text.' });
    await me.upload('other', { 'other.txt': 'Text.' });
    await me.upload('mine', { 'mine.txt': 'Text.' });
    expect(await events.next()).toMatchObject({ file: { originalName: 'mine.txt' } });
    await events.leave();
    await expect(start(docs, token).next()).rejects.toThrow('DATASET_MISMATCH_IN_QUERY');
    await expect(start({}).next()).rejects.toThrow('DATASET_REQUIRED_IN_QUERY');
  });

  it('an expired token ends it, before the next change is told', async () => {
    const { token } = await gateway.admin.createToken(me.customerId, 'mine', { ttlSeconds: 60 });
    const events = start({}, token);
    await events.next();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    onTestFinished(() => void vi.useRealTimers());
    await me.upload('mine', { 'late.txt': 'Text.' });
    await expect(events.next()).rejects.toThrow('TOKEN_EXPIRED');
  });
});

it('is open a hundred times for a customer at most, until clients leave', async () => {
  const customer = await newCustomer(gateway);
  const open = Array.from({ length: 100 }, () => start(docs, customer.apiKey));
  await Promise.all(open.map((events) => events.next()));
  await expect(start(docs, customer.apiKey).next()).rejects.toThrow('TOO_MANY_SUBSCRIPTIONS');
  const mine = start(docs);
  await mine.next();
  await mine.leave();
  await open[0]?.leave();
  const isWatched = async () => {
    const again = start(docs, customer.apiKey);
    const begun = await again.next().then(
      () => true,
      () => false,
    );
    await again.leave();
    return begun;
  };
  await expect.poll(isWatched).toBe(true);
  await Promise.all(open.map((events) => events.leave()));
});

it('outlives an outage of the database', async () => {
  const events = start({ datasetId: 'outage' });
  await events.next();
  let looks = 0;
  faults.before('sql:dataset_change', () => {
    looks++;
    if (looks === 1) throw Object.assign(new Error('gone'), { code: '57P01' });
  });
  await me.upload('outage', { 'a.txt': 'Text.' });
  expect(await events.next()).toMatchObject({ file: { originalName: 'a.txt' } });
  expect(looks).toBeGreaterThan(1);
  faults.mend();
  await events.leave();
});
