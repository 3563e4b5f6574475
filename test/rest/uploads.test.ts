import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { FOX, file, form } from '../support/forms.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { tracesOf, wholeFiles } from '../support/traces.ts';

let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
});
afterAll(() => gateway.close());

const post = (body: FormData) => customer.rest('POST', '/files/upload', body);

describe('files that are taken in', () => {
  test('200 for several files: their objects in the order of the form, and what they cost', async () => {
    const body = form([
      ['file', file('b.txt')],
      ['datasetId', 'order'],
      ['file', file('a.md', '# Fox\n\nThe fox is quick.')],
      ['file', file('b.txt', 'Another file of the same name.')],
    ]);
    const reply = await post(body);
    expect(reply.status).toBe(200);
    const { files, message, ...rest } = reply.body;
    expect(rest).toStrictEqual({ success: true, billed: { fileCount: 3, uploadUnits: 3 } });
    expect(message).toBeTypeOf('string');
    const names = files.map(({ originalName }: { originalName: string }) => originalName);
    expect(names).toEqual(['b.txt', 'a.md', 'b.txt']);
    const listed = await customer.rest('GET', '/files?datasetId=order');
    expect(listed.body.files).toHaveLength(3);
    expect(listed.body.files).toEqual(expect.arrayContaining(files));
    expect(new Set(files.map(({ loaderId }: { loaderId: string }) => loaderId)).size).toBe(3);
  });

  test('200: can be found, asked about and downloaded when the answer is there', async () => {
    const { body } = await customer.upload('at-once', { 'fox.txt': FOX });
    const asked = { datasetId: 'at-once', question: 'Is the fox quick?' };
    const found = await customer.rest('POST', '/search', asked);
    expect(found.body.data[0]).toMatchObject({
      pageContent: FOX,
      metadata: { fileId: body.files[0].fileId, originalName: 'fox.txt', datasetId: 'at-once' },
    });
    expect(await tracesOf(gateway, faults, 'at-once')).toEqual(wholeFiles(1));
  });

  test('200 for 20 files at once', async () => {
    const files = Array.from({ length: 20 }, (_, at): [string, File] => [
      'file',
      file(`${at}.txt`),
    ]);
    const { status, body } = await post(form([['datasetId', 'twenty'], ...files]));
    expect(status).toBe(200);
    expect(body.billed).toEqual({ fileCount: 20, uploadUnits: 20 });
  });

  test('200 for a file field that a browser left empty beside one that it filled', async () => {
    const parts = form([
      ['datasetId', 'browser'],
      ['file', new File([], '')],
      ['file', file('fox.txt')],
    ]);
    const { status, body } = await post(parts);
    expect(status).toBe(200);
    expect(body.files).toHaveLength(1);
  });

  test.each([
    [10, 0],
    [30, 10],
    [200, 100],
  ])(
    '200 with chunkSize %i and chunkOverlap %i: as many words again',
    async (chunkSize, chunkOverlap) => {
      const datasetId = `chunks-${chunkSize}`;
      const words = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');
      const fields = { chunkSize, chunkOverlap };
      expect((await customer.upload(datasetId, { 'words.txt': words }, fields)).status).toBe(200);
      const asked = { datasetId, question: 'word7', limit: 50 };
      const { body } = await customer.rest('POST', '/search', asked);
      const longest = Math.max(
        ...body.data.map(
          ({ pageContent }: { pageContent: string }) => pageContent.split(' ').length,
        ),
      );
      // Every word is two or three tokens here.
      expect(longest).toBeLessThanOrEqual(chunkSize / 2);
      expect(longest).toBeGreaterThanOrEqual(Math.floor(chunkSize / 4));
      const { chunks } = await tracesOf(gateway, faults, datasetId);
      expect(chunks).toBeGreaterThanOrEqual(Math.ceil(400 / longest));
    },
  );

  test.each([
    ['unicode and quotes', 'naïve 漢字 "q".md'],
    ['line breaks', 'two\r\nlines\n.txt'],
    ['writing from right to left', '\u202Etxt.exe\u202C שלום.txt'],
    ['an emoji', '🦊.txt'],
    ['spaces around', ' fox .txt'],
    ['what means something in SQL', "Robert'); DROP TABLE file;--.txt"],
    ['what means something in a path', '..%2f..%5cfox.txt'],
    ['a name that objects have', 'constructor'],
    ['another such name', '__proto__'],
    ['255 characters', `${'x'.repeat(251)}.txt`],
    ['nothing but dots and an extension', '....txt'],
  ])('200 for a name with %s: kept as it is, and harmless in filePath', async (_, name) => {
    const metadata = JSON.stringify({ 0: { color: 'red' } });
    const { status, body } = await customer.upload('names', { [name]: FOX }, { metadata });
    expect(status).toBe(200);
    const [{ originalName, filePath, extraMeta, fileId }] = body.files;
    expect(originalName).toBe(name);
    expect(extraMeta).toEqual({ color: 'red' });
    expect(filePath).toMatch(
      new RegExp(`^customers/[0-9a-f-]+/datasets/names/${fileId}-[A-Za-z0-9._-]{1,120}$`),
    );
  });

  test.each([
    ['folder/sub/fox.txt', 'fox.txt'],
    ['/etc/fox.txt', 'fox.txt'],
    ['..\\..\\fox.txt', 'fox.txt'],
    ['C:\\Users\\me\\fox.txt', 'fox.txt'],
  ])('200 for the path %s: its last part is the name (RFC 7578, 4.2)', async (path, name) => {
    const { body } = await customer.upload('paths', { [path]: FOX });
    expect(body.files[0].originalName).toBe(name);
  });

  test('200 for a dataset whose name climbs: filePath stays below its customer', async () => {
    const { body } = await customer.upload('../../..', { 'fox.txt': FOX });
    expect(body.files[0].datasetId).toBe('../../..');
    const [customers, ...segments] = body.files[0].filePath.split('/');
    expect(customers).toBe('customers');
    expect(segments).toHaveLength(4);
    expect(segments.filter((segment: string) => /^\.*$/.test(segment))).toEqual([]);
  });
});

describe('custom metadata', () => {
  const red = { color: 'red' };
  const blue = { color: 'blue' };

  test.each([
    ['by name', { 'a.txt': red, 'b.txt': blue }, [red, blue]],
    ['by index', { 0: red, 1: blue }, [red, blue]],
    ['by name and by index', { 'b.txt': blue, 0: red }, [red, blue]],
    ['by both, where the name counts', { 'a.txt': red, 0: blue }, [red, null]],
    ['for one of them', { 1: blue }, [null, blue]],
    ['for none', {}, [null, null]],
    [
      'of any values',
      { 0: { n: 1.5, t: true, z: null, l: [1, 'a'], o: { p: {} } } },
      [{ n: 1.5, t: true, z: null, l: [1, 'a'], o: { p: {} } }, null],
    ],
    ['without fields', { 0: {} }, [{}, null]],
    ['of 16 kB', { 0: { text: 'é'.repeat(8186) } }, [{ text: 'é'.repeat(8186) }, null]],
  ])('200 %s', async (_, metadata, expected) => {
    const files = { 'a.txt': FOX, 'b.txt': FOX };
    const { body } = await customer.upload('meta', files, { metadata: JSON.stringify(metadata) });
    expect(body.files.map(({ extraMeta }: { extraMeta: unknown }) => extraMeta)).toEqual(expected);
  });

  test('200 with keys that objects have: they are kept, in the list too', async () => {
    const json = '{"__proto__":{"a":1},"constructor":"b","toString":"c"}';
    const fields = { metadata: `{"fox.txt":${json}}` };
    const { body } = await customer.upload('keys', { 'fox.txt': FOX }, fields);
    const [listed] = (await customer.rest('GET', '/files?datasetId=keys')).body.files;
    for (const { extraMeta } of [body.files[0], listed]) {
      expect(Object.keys(extraMeta).sort()).toEqual(['__proto__', 'constructor', 'toString']);
    }
  });

  test('200: what it says of the file itself does not count in a search', async () => {
    const fake = { fileId: 'fake', originalName: 'fake', datasetId: 'fake', customerId: 'fake' };
    const fields = { metadata: JSON.stringify({ 0: fake }) };
    const { body } = await customer.upload('fake', { 'fox.txt': FOX }, fields);
    const [{ fileId, originalName, datasetId, customerId, extraMeta }] = body.files;
    const asked = { datasetId: 'fake', question: 'Is the fox quick?' };
    const found = await customer.rest('POST', '/search', asked);
    const own = { fileId, originalName, datasetId, customerId };
    expect(found.body.data[0].metadata).toMatchObject(own);
    expect(extraMeta).toEqual(fake);
  });
});
