import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newLoaderKey } from '../../src/core/loader-key.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let customer: Client & { customerId: string };
let token: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  const created = await gateway.admin.createToken(customer.customerId, 'docs');
  token = createClient(gateway, created.token);
});
afterAll(() => gateway.close());

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

async function list(query: string, client = customer) {
  return (await client.rest('GET', `/files?${query}`)).body;
}

/** Files without copy and chunks: enough to be listed. `created` counts seconds. */
async function addRecords(datasetId: string, files: { name: string; created: number }[]) {
  const { prisma } = faults.deps;
  const { key: customerKey } = await prisma.customer.findUniqueOrThrow({
    where: { id: customer.customerId },
  });
  await prisma.dataset.create({ data: { customerKey, id: datasetId, embeddingModel: 'none' } });
  await prisma.file.createMany({
    data: files.map(({ name, created }, at) => ({
      customerKey,
      id: randomUUID(),
      datasetId,
      loaderKey: newLoaderKey(),
      path: `none/${at}`,
      originalName: name,
      extension: '',
      created: new Date(Date.UTC(2026, 0, 1) + created * 1000),
    })),
  });
}

describe('the file object', () => {
  let uploaded: Record<string, unknown>;
  const text = 'Füchse sind schnell.';
  const extraMeta = { color: 'red', legs: 4, wild: true, none: null, at: { home: ['den'] } };

  beforeAll(async () => {
    const before = { 'fox report.md': text, 'bare.TXT': text, 'Fox Jr..md': text, Makefile: text };
    const metadata = JSON.stringify({ 'fox report.md': extraMeta });
    const { body } = await customer.upload('docs', before, { metadata });
    uploaded = body.files[0];
  });

  test('200 GET /v1/files/:fileId: every field with its type', async () => {
    const { body, status } = await customer.rest(
      'GET',
      `/files/${uploaded['fileId']}?datasetId=docs`,
    );
    const { customerId } = customer;
    expect(body).toStrictEqual({
      success: true,
      file: {
        customerId,
        datasetId: 'docs',
        fileId: expect.stringMatching(`^${UUID}$`),
        filePath: `customers/${customerId}/datasets/docs/${body.file.fileId}-fox_report.md`,
        originalName: 'fox report.md',
        mimeType: 'text/markdown',
        size: new TextEncoder().encode(text).length,
        loaderId: expect.stringMatching(/^.+$/),
        created: expect.any(String),
        extension: '.md',
        transcriptionText: null,
        transcriptionSrt: null,
        extraMeta,
        permanentUrl: expect.stringMatching('^http://'),
      },
    });
    expect(new Date(body.file.created).toISOString()).toBe(body.file.created);
    expect(Math.abs(Date.now() - Date.parse(body.file.created))).toBeLessThan(60_000);
    expect(status).toBe(200);
  });

  test('200 GET /v1/files: the same, without permanentUrl, before and after its first reading', async () => {
    const path = `/files/${uploaded['fileId']}?datasetId=docs`;
    const { permanentUrl, ...file } = (await customer.rest('GET', path)).body.file;
    const { success, files, ...rest } = await list('datasetId=docs');
    expect(permanentUrl).toBeTypeOf('string');
    expect(success).toBe(true);
    expect(rest).toStrictEqual({});
    expect(files).toContainEqual(file);
    expect(files.every((listed: object) => !('permanentUrl' in listed))).toBe(true);
  });

  test('200 GET /v1/files: null for metadata that was not given, extensions of any name', async () => {
    const { files } = await list('datasetId=docs');
    const byName = new Map(
      files.map((file: { originalName: string }) => [file.originalName, file]),
    );
    expect(byName.get('bare.TXT')).toMatchObject({ extension: '.txt', extraMeta: null });
    expect(byName.get('Fox Jr..md')).toMatchObject({ extension: '.md', mimeType: 'text/markdown' });
    expect(byName.get('Makefile')).toMatchObject({ extension: '', mimeType: 'text/plain' });
  });

  test('200 GET /v1/files/:fileId of a recording: its transcription', async () => {
    const transcriptionSrt = [
      { id: '1', startTime: '00:00:00,000', endTime: '00:00:01,500', text: 'Hello.' },
    ];
    await addRecords('recordings', [{ name: 'hello.mp3', created: 0 }]);
    const options = { contentType: 'audio/mpeg', size: 3 };
    await faults.deps.storage.put('none/0', () => Readable.from(['ID3']), options);
    await faults.deps.prisma.file.updateMany({
      where: { datasetId: 'recordings' },
      data: { transcriptionText: 'Hello.', transcriptionSrt },
    });
    const [listed] = (await list('datasetId=recordings')).files;
    const path = `/files/${listed.fileId}?datasetId=recordings`;
    const { file } = (await customer.rest('GET', path)).body;
    expect(file).toMatchObject({ transcriptionText: 'Hello.', transcriptionSrt });
    expect(listed).toMatchObject({ transcriptionText: 'Hello.', transcriptionSrt });
    expect(Object.keys(listed.transcriptionSrt[0])).toEqual(Object.keys(transcriptionSrt[0] ?? {}));
    expect(file).toMatchObject({ mimeType: null, size: null });
  });

  test('200 GET /v1/files: a recording in which nobody speaks has no subtitles', async () => {
    await addRecords('silence', [{ name: 'silence.mp3', created: 0 }]);
    await faults.deps.prisma.file.updateMany({
      where: { datasetId: 'silence' },
      data: { transcriptionText: '', transcriptionSrt: [] },
    });
    const [listed] = (await list('datasetId=silence')).files;
    expect(listed).toMatchObject({ transcriptionText: '', transcriptionSrt: [] });
  });

  test('200 GET /v1/files/:fileId and /v1/files with a token, with and without its datasetId', async () => {
    const { fileId } = uploaded;
    for (const query of ['', '?datasetId=docs']) {
      const { body } = await token.rest('GET', `/files/${fileId}${query}`);
      expect(body.file).toMatchObject(uploaded);
      const listed = await token.rest('GET', `/files${query}`);
      expect(listed.body.files).toContainEqual(uploaded);
    }
  });
});

describe('the list', () => {
  const names = (body: { files: { originalName: string }[] }) =>
    body.files.map(({ originalName }) => originalName);

  test('200 GET /v1/files of a dataset that is empty, and of one that is not there', async () => {
    const { body } = await customer.upload('emptied', { 'fox.txt': 'The fox is quick.' });
    const { fileId } = body.files[0];
    await customer.rest('DELETE', `/files/${fileId}?datasetId=emptied`);
    expect(await list('datasetId=emptied')).toStrictEqual({ success: true, files: [] });
    expect(await list('datasetId=never')).toStrictEqual({ success: true, files: [] });
  });

  test('200 GET /v1/files: newest first, and those of its dataset and its customer only', async () => {
    const other = await newCustomer(gateway);
    await other.upload('ours', { 'theirs.txt': 'Not yours.' });
    await customer.upload('ours2', { 'elsewhere.txt': 'Not here.' });
    for (const name of ['first.txt', 'second.txt', 'third.txt']) {
      await customer.upload('ours', { [name]: 'The fox is quick.' });
    }
    expect(names(await list('datasetId=ours'))).toEqual(['third.txt', 'second.txt', 'first.txt']);
    expect(names(await list('datasetId=ours', other))).toEqual(['theirs.txt']);
  });

  test('200 GET /v1/files: 2,345 files in one answer, each once, newest first', async () => {
    // Hundreds are of the same moment, also where one page of the database ends.
    const files = Array.from({ length: 2345 }, (_, at) => ({
      name: String(at),
      created: Math.floor(at / 400),
    }));
    await addRecords('many', files);
    const body = await list('datasetId=many');
    const times = body.files.map(({ created }: { created: string }) => created);
    expect(new Set(names(body)).size).toBe(2345);
    expect(times).toEqual(times.toSorted().reverse());
  });

  describe('when the database fails half-way', () => {
    const failAt = (page: number) => {
      let pages = 0;
      // Others look for uploads in the background meanwhile.
      faults.before('sql:FROM file', () => {
        pages += 1;
        if (pages === page) throw new Error('broken on purpose');
      });
    };
    beforeAll(() =>
      addRecords(
        'breaking',
        Array.from({ length: 2500 }, (_, at) => ({ name: String(at), created: at })),
      ),
    );
    afterEach(() => faults.mend());

    test('500 GET /v1/files: before the list is begun', async () => {
      failAt(2);
      const response = await customer.raw('GET', '/v1/files?datasetId=breaking');
      expect(response.status).toBe(500);
    });

    test('200 GET /v1/files: the answer breaks off, no half list', async () => {
      failAt(3);
      const response = await customer.raw('GET', '/v1/files?datasetId=breaking');
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
      faults.mend();
      expect((await list('datasetId=breaking')).files).toHaveLength(2500);
    });
  });

  describe('by pages', () => {
    const whole = ['e', 'd', 'c', 'b', 'a'];
    beforeAll(() =>
      addRecords(
        'pages',
        whole.map((name, at) => ({ name, created: whole.length - at })),
      ),
    );

    test.each([
      [1, [['e'], ['d'], ['c'], ['b'], ['a']]],
      [2, [['e', 'd'], ['c', 'b'], ['a']]],
      [5, [whole]],
      [6, [whole]],
    ])('200 GET /v1/files with limit %i: pages and then nextCursor null', async (limit, pages) => {
      const seen: string[][] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length < 10) {
        const after = encodeURIComponent(cursor);
        const body = await list(`datasetId=pages&limit=${limit}&cursor=${after}`);
        expect(Object.keys(body).sort()).toEqual(['files', 'nextCursor', 'success']);
        seen.push(names(body));
        cursor = body.nextCursor;
      }
      expect(seen).toEqual(pages);
    });

    test('200 GET /v1/files with a cursor alone: the rest', async () => {
      const { nextCursor } = await list('datasetId=pages&limit=2');
      const rest = await list(`datasetId=pages&cursor=${encodeURIComponent(nextCursor)}`);
      expect(names(rest)).toEqual(['c', 'b', 'a']);
      expect(rest.nextCursor).toBeNull();
    });

    test('200 GET /v1/files: files of one moment are on one page each', async () => {
      const moment = Array.from({ length: 7 }, (_, at) => ({ name: `m${at}`, created: 1 }));
      await addRecords('moment', moment);
      const first = await list('datasetId=moment&limit=3');
      const second = await list(`datasetId=moment&limit=9&cursor=${first.nextCursor}`);
      expect([...names(first), ...names(second)].sort()).toEqual(moment.map(({ name }) => name));
    });

    test('200 GET /v1/files: a page goes on where the last one ended, though that file is gone', async () => {
      await addRecords('shrinking', [
        { name: 'c', created: 3 },
        { name: 'b', created: 2 },
        { name: 'a', created: 1 },
      ]);
      const first = await list('datasetId=shrinking&limit=2');
      for (const { fileId } of first.files) {
        await customer.rest('DELETE', `/files/${fileId}?datasetId=shrinking`);
      }
      const next = await list(`datasetId=shrinking&limit=2&cursor=${first.nextCursor}`);
      expect(names(next)).toEqual(['a']);
    });
  });
});
