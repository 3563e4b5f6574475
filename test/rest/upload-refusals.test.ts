import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { FOX, file, form } from '../support/forms.ts';
import { startGateway, startOn, type TestGateway } from '../support/gateway.ts';
import { NO_TRACES, tracesOf, wholeFiles } from '../support/traces.ts';

const faults = createFaults();
let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  gateway = await startGateway({}, faults.override);
  customer = await newCustomer(gateway);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const post = (body: FormData) => customer.rest('POST', '/files/upload', body);

/** Bytes that are no text in any encoding, the same every time. */
const noise = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (Math.sin(at) * 1e4) & 255));
const FRAME = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), noise(413)]);
const MP3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), FRAME, FRAME, FRAME]);
const WAV = Buffer.concat([
  Buffer.from('RIFF\0\x08\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0'),
  noise(2048),
]);
const ZIP = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(200)]);
const NOISE = noise(4096);

describe('what is refused leaves nothing', () => {
  const datasetId = 'refused';
  const deep = `{"0":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
  const fields = (more: Record<string, string>) => [
    ['datasetId', datasetId] as [string, string],
    ['file', file('fox.txt')] as [string, File],
    ...Object.entries(more),
  ];
  const media = 'audio and video need a transcriber, and none is configured';
  const wrong =
    'metadata must be a JSON object of objects, keyed by file name, by URL or by 0-based index';
  const between = (name: string, min: number, max: number) =>
    `${name} must be between ${min} and ${max}`;

  test.each<[number, string, string | RegExp, [string, string | File][]]>([
    [400, 'without a file', 'file or urls is required', [['datasetId', datasetId]]],
    [
      400,
      'with text for a file',
      'file must be a file, not text; with curl: -F file=@name',
      [
        ['datasetId', datasetId],
        ['file', FOX],
      ],
    ],
    [
      400,
      'with a file in another field',
      'files go in the field file, not files',
      [
        ['datasetId', datasetId],
        ['file', file('fox.txt')],
        ['files', file('hen.txt')],
      ],
    ],
    [
      400,
      'with 21 files',
      'file: at most 20 at once',
      [
        ['datasetId', datasetId],
        ...Array.from({ length: 21 }, (_, at): [string, File] => ['file', file(`${at}.txt`)]),
      ],
    ],
    [
      400,
      'with a name of 256 characters',
      'a file name must be at most 255 characters long',
      [
        ['datasetId', datasetId],
        ['file', file(`${'x'.repeat(252)}.txt`)],
      ],
    ],
    [
      400,
      'with a blank name',
      'a file needs a name',
      [
        ['datasetId', datasetId],
        ['file', file('  ')],
      ],
    ],
    [
      400,
      'with a name that is no text',
      'a file name must be readable text',
      [
        ['datasetId', datasetId],
        ['file', file('nul\0.txt')],
      ],
    ],
    [
      400,
      'for a datasetId of 101 characters',
      'datasetId must be 1 to 100 characters long',
      [
        ['datasetId', 'd'.repeat(101)],
        ['file', file('fox.txt')],
      ],
    ],
    [400, 'with chunkSize 9', between('chunkSize', 10, 2000), fields({ chunkSize: '9' })],
    [400, 'with chunkSize 2001', between('chunkSize', 10, 2000), fields({ chunkSize: '2001' })],
    [400, 'with chunkSize ten', between('chunkSize', 10, 2000), fields({ chunkSize: 'ten' })],
    [400, 'with chunkSize 10.5', between('chunkSize', 10, 2000), fields({ chunkSize: '10.5' })],
    [400, 'with chunkOverlap -1', between('chunkOverlap', 0, 150), fields({ chunkOverlap: '-1' })],
    [
      400,
      'with chunkOverlap over half of chunkSize',
      between('chunkOverlap', 0, 50),
      fields({ chunkSize: '100', chunkOverlap: '51' }),
    ],
    [400, 'with metadata [1]', wrong, fields({ metadata: '[1]' })],
    [400, 'with metadata {"0": 1}', wrong, fields({ metadata: '{"0":1}' })],
    [
      400,
      'with metadata that is no JSON',
      'metadata must be a JSON object',
      fields({ metadata: '{' }),
    ],
    [
      400,
      'with metadata of no file',
      'metadata names no file of this upload: hen.txt',
      fields({ metadata: '{"hen.txt":{}}' }),
    ],
    [
      400,
      'with metadata that is no text',
      /^metadata of 0 must be readable text/,
      fields({ metadata: '{"0":{"a":"\\u0000"}}' }),
    ],
    [
      400,
      'with metadata of a number that is too large for JavaScript',
      'metadata of 0 must be readable text and numbers of up to 1.8e308, at most 100 levels deep',
      fields({ metadata: '{"0":{"a":1e400}}' }),
    ],
    [
      400,
      'with metadata over 16 kB a file',
      'metadata of 0 must be at most 16 kB',
      fields({ metadata: JSON.stringify({ 0: { text: 'é'.repeat(8187) } }) }),
    ],
    [
      400,
      'with metadata 50,000 levels deep',
      /^metadata of 0 must be .* at most 100 levels deep$/,
      fields({ metadata: deep }),
    ],
    [
      413,
      'with metadata over 1 MiB',
      'Request body too large',
      fields({ metadata: ' '.repeat(1024 ** 2 + 1) }),
    ],
    [415, 'with an archive', /^a\.zip: /, [...fields({}), ['file', file('a.zip', ZIP)]]],
    [415, 'with noise', /^noise: /, [...fields({}), ['file', file('noise', NOISE)]]],
    [415, 'with noise for text', /^n\.txt: /, [...fields({}), ['file', file('n.txt', NOISE)]]],
    [415, 'with audio', `a.mp3: ${media}`, [...fields({}), ['file', file('a.mp3', MP3)]]],
    [415, 'with audio for text', `a.txt: ${media}`, [...fields({}), ['file', file('a.txt', WAV)]]],
    [422, 'with an empty file', 'e.txt: it is empty', [...fields({}), ['file', file('e.txt', '')]]],
    [422, 'with nothing but space', /^s\.txt: /, [...fields({}), ['file', file('s.txt', ' \n\t')]]],
    [
      422,
      'with a broken PDF',
      /^b\.pdf: /,
      [...fields({}), ['file', file('b.pdf', '%PDF-1.7\nno')]],
    ],
  ])('%i %s: %s', async (status, _, error, parts) => {
    const reply = await post(form(parts));
    expect(reply.status).toBe(status);
    expect(Object.keys(reply.body)).toEqual(['error']);
    if (typeof error === 'string') expect(reply.body.error).toBe(error);
    else expect(reply.body.error).toMatch(error);
    expect(await tracesOf(gateway, faults, datasetId)).toEqual(NO_TRACES);
  });

  test.each([0, 1, 2])(
    '422 for three files of which number %i is bad: none is there',
    async (bad) => {
      const good = Array.from({ length: 3 }, (_, at) => file(`${at}.txt`, `${FOX} `.repeat(3000)));
      good[bad] = file('bad.csv', '\n \n');
      const body = form([
        ['datasetId', datasetId],
        ...good.map((one): [string, File] => ['file', one]),
      ]);
      const reply = await post(body);
      expect(reply.status).toBe(422);
      expect(reply.body.error).toMatch(/^bad\.csv: /);
      expect(await tracesOf(gateway, faults, datasetId)).toEqual(NO_TRACES);
    },
  );

  test.each([
    'storage.put',
    'embeddings.embedTexts',
    'index.add',
    'sql:INSERT INTO pending_file',
    'sql:INSERT INTO file ',
    'prisma.pendingFile.deleteMany',
  ])('500 when %s fails, once: nothing is left, and the next upload is whole', async (call) => {
    let calls = 0;
    // The second one: something of the upload is there by then.
    faults.before(call, () => {
      calls += 1;
      if (calls === (/^(prisma|sql)/.test(call) ? 1 : 2)) throw new Error('broken on purpose');
    });
    const files = { 'a.txt': FOX, 'b.txt': FOX, 'c.txt': FOX };
    const reply = await customer.upload(datasetId, files);
    expect(reply.status).toBe(500);
    expect(reply.body).toStrictEqual({ error: 'Internal error' });
    expect(await tracesOf(gateway, faults, datasetId)).toEqual(NO_TRACES);

    const retried = `retried-${call.replaceAll(/\W/g, '-')}`;
    expect(await customer.upload(retried, files)).toMatchObject({ status: 200 });
    expect(await tracesOf(gateway, faults, retried)).toEqual(wholeFiles(3));
  });

  test('500 when what an upload leaves cannot be removed: nobody sees it, and it is swept later', async () => {
    faults.fail('sql:INSERT INTO file ');
    faults.fail('storage.remove');
    const { status } = await customer.upload('swept', { 'fox.txt': FOX });
    expect(status).toBe(500);
    const asked = { datasetId: 'swept', question: 'Is the fox quick?' };
    expect((await customer.rest('POST', '/search', asked)).body.data).toEqual([]);
    expect((await customer.rest('GET', '/files?datasetId=swept')).body.files).toEqual([]);
    expect(await tracesOf(gateway, faults, 'swept')).toMatchObject({ pending: 1, objects: 1 });

    faults.mend();
    await faults.deps.prisma.pendingFile.updateMany({ data: { due: new Date(0) } });
    expect(await gateway.maintenance.sweep()).toEqual({ removed: 1, failed: 0 });
    expect(await tracesOf(gateway, faults, 'swept')).toEqual(NO_TRACES);
  });
});

test('500 as soon as the model fails: the rest of the file is not read', async () => {
  let batches = 0;
  const other = await startOn(gateway, {}, (deps) => ({
    ...deps,
    embeddings: {
      ...deps.embeddings,
      embedTexts: () => Promise.reject(new Error('broken on purpose')),
    },
    extractor: {
      ...deps.extractor,
      async *extract(...args) {
        for await (const batch of deps.extractor.extract(...args)) {
          batches += 1;
          yield batch;
        }
      },
    },
  }));
  onTestFinished(() => other.close());
  const long = { 'long.txt': `${FOX} `.repeat(200_000) };
  expect((await createClient(other, customer.credential).upload('long', long)).status).toBe(500);
  // Those that are embedded at once, and the next one.
  expect(batches).toBeLessThanOrEqual(4);
});

test('422 for a file of too many chunks', async () => {
  const chunk = { content: 'The', origin: { line: 1, lineEnd: 1 } };
  const other = await startOn(gateway, {}, (deps) => ({
    ...deps,
    extractor: {
      ...deps.extractor,
      async *extract() {
        yield Array(LIMITS.chunksPerFile + 1).fill(chunk);
      },
    },
  }));
  onTestFinished(() => other.close());
  const reply = await createClient(other, customer.credential).upload('long', { 'long.txt': FOX });
  expect(reply).toMatchObject({
    status: 422,
    body: { error: 'long.txt: it has more than 500000 chunks; a larger chunkSize makes fewer' },
  });
  expect(await tracesOf(gateway, faults, 'long')).toEqual(NO_TRACES);
});

test('an upload whose client goes away leaves nothing', async () => {
  const gone = new AbortController();
  faults.before('index.add', () => gone.abort());
  const body = form([
    ['datasetId', 'gone'],
    ['file', file('fox.txt')],
    ['file', file('hen.txt')],
  ]);
  await customer.raw('POST', '/v1/files/upload', body, { signal: gone.signal });
  expect(await tracesOf(gateway, faults, 'gone')).toEqual(NO_TRACES);
});

describe('a sweep while an upload runs', () => {
  test('200: leaves it alone', async () => {
    const swept: unknown[] = [];
    faults.before('storage.put', async () => {
      swept.push(await gateway.maintenance.sweep());
    });
    expect((await customer.upload('running', { 'fox.txt': FOX })).status).toBe(200);
    expect(swept).toEqual([{ removed: 0, failed: 0 }]);
    expect(await tracesOf(gateway, faults, 'running')).toEqual(wholeFiles(1));
  });

  test('500 when it took the upload for an abandoned one: nothing of it becomes real', async () => {
    faults.before('storage.put', async () => {
      await faults.deps.prisma.pendingFile.updateMany({ data: { due: new Date(0) } });
      await gateway.maintenance.sweep();
    });
    expect((await customer.upload('taken', { 'fox.txt': FOX })).status).toBe(500);
    expect((await customer.rest('GET', '/files?datasetId=taken')).body.files).toEqual([]);
    faults.mend();
    await gateway.maintenance.sweep();
    expect(await tracesOf(gateway, faults, 'taken')).toEqual(NO_TRACES);
  });
});
