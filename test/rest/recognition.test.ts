import { inflateSync } from 'node:zlib';
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { madePdf } from '../support/made-pdf.ts';
import { NO_TRACES, tracesOf } from '../support/traces.ts';

const KEY = 'sk-aimock';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
const HANDBOOK = 'The handbook was printed in Brackwater and has sixty pages.';

const RECOGNIZED = 'This page was recognized before, in the year of the great storm.';

/** On a busy machine. */
const SOON = { timeout: 10_000 };
const faults = createFaults();
let mock: LLMock;
let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  mock = await LLMock.create({ port: 0, auth: { apiKeys: [KEY] } });
  const server = { OCR_BASE_URL: `${mock.url}/v1`, OCR_API_KEY: KEY, OCR_MODEL: 'reader' };
  gateway = await startBeside(server, faults.override);
  customer = await newCustomer(gateway, '100');
});
beforeEach(() => {
  mock.clearFixtures();
  mock.clearRequests();
});
afterEach(() => faults.mend());
afterAll(async () => {
  await gateway.close();
  await mock.stop();
});

/** The model says what `read` makes of each image. */
function model(read: (image: Buffer, type: string) => object): void {
  mock.on({ predicate: () => true }, (request) => {
    const [, type = '', data = ''] = /^data:(.*);base64,(.*)$/.exec(imageOf(request)) ?? [];
    return read(Buffer.from(data, 'base64'), type) as { content: string };
  });
}

function imageOf({ messages }: ChatCompletionRequest): string {
  const content = messages.at(-1)?.content;
  const [part] = Array.isArray(content) ? content : [];
  return (part as { image_url?: { url: string } } | undefined)?.image_url?.url ?? '';
}

/** The shade of the first pixel of a grey PNG file. */
function shadeOf(png: Buffer): number {
  const data = png.indexOf('IDAT') + 4;
  return inflateSync(png.subarray(data, data + png.readUInt32BE(data - 8)))[1] ?? 0;
}

const pdf = (...pages: Parameters<typeof madePdf>[0]) => new Blob([madePdf(pages)]);
const credits = async () => Number((await customer.graphql(ViewerDocument)).data.viewer?.credits);
const chunksOf = async (datasetId: string, question: string) =>
  (await customer.rest('POST', '/search', { datasetId, question })).body.data;

describe('200', () => {
  test('an image is read by the model, and costs as much as any file', async () => {
    model(() => ({ content: '```markdown\n# Ferry\n\nThe ferry leaves at nine.\n```' }));
    const before = await credits();
    const { status, body } = await customer.upload('images', { 'ferry.png': new Blob([PNG]) });
    expect(status).toBe(200);
    expect(body.files[0]).toMatchObject({ mimeType: 'image/png', transcriptionText: null });
    expect(await credits()).toBe(before - 1);
    const { fileId } = body.files[0];
    const { body: got } = await customer.rest('GET', `/files/${fileId}?datasetId=images`);
    const stored = await gateway.download(got.file.permanentUrl);
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(PNG);
    const [hit] = await chunksOf('images', 'When does the ferry leave?');
    expect(hit).toMatchObject({
      pageContent: 'Ferry\nThe ferry leaves at nine.',
      metadata: { heading: 'Ferry', mimeType: 'image/png' },
    });
    expect(hit.metadata).not.toHaveProperty('page');
    expect(mock.getRequests()).toMatchObject([
      { body: { model: 'reader', messages: [{ role: 'system' }, { role: 'user' }] } },
    ]);
  });

  test('only pages that are images are read, and citations show their pages', async () => {
    const texts = [{ glyphs: HANDBOOK, x: 50, y: 700 }];
    model((image, type) => {
      expect(type).toBe('image/png');
      const said: Record<number, string> = {
        32: 'Page two tells of herons.',
        64: '| bird | eggs |\n|---|---|\n| heron | four |',
        96: '[no text]',
      };
      return { content: said[shadeOf(image)] ?? 'unexpected' };
    });
    const { status } = await customer.upload('mixed', {
      'handbook.pdf': pdf(
        { texts },
        { texts: [], scan: 0x20 },
        // What a scanner has printed on it.
        { texts: [{ glyphs: 'Scanned by X', x: 50, y: 20 }], scan: 0x40, rotate: 90 },
        { texts: [] },
        { texts: [], scan: 0x60 },
        // With text over it, as a scan that was recognized before.
        { texts: [{ glyphs: RECOGNIZED, x: 50, y: 700 }], scan: 0x80 },
      ),
    });
    expect(status).toBe(200);
    expect(mock.getRequests()).toHaveLength(3);
    const found: { pageContent: string; metadata: { page: number } }[] = await chunksOf(
      'mixed',
      'heron',
    );
    const byPage = found.map(({ pageContent, metadata: { page } }) => [page, pageContent]);
    expect(byPage.toSorted()).toEqual([
      [1, HANDBOOK],
      [2, 'Page two tells of herons.'],
      [3, 'bird | eggs\nbird: heron; eggs: four'],
      [6, RECOGNIZED],
    ]);
    expect((await tracesOf(gateway, faults, 'mixed')).spooled).toBe(0);
  });

  test('what the model thinks about an image is not in the image', async () => {
    const text = '<think>\nA timetable, perhaps.\n</think>\n\nThe ferry leaves at nine.';
    model(() => ({ content: text }));
    await customer.upload('thoughts', { 'ferry.png': new Blob([PNG]) });
    expect(await chunksOf('thoughts', 'When does the ferry leave?')).toMatchObject([
      { pageContent: 'The ferry leaves at nine.' },
    ]);
  });

  test('a failure that passes is tried again', async () => {
    model(() => ({ content: 'At last.' }));
    mock.nextRequestError(503);
    const { status } = await customer.upload('again', { 'x.png': new Blob([PNG]) });
    expect([status, mock.getRequests().length]).toEqual([200, 2]);
  });
});

describe('what cannot be read leaves nothing, and costs nothing', () => {
  const scans = (count: number) =>
    pdf(...Array.from({ length: count }, () => ({ texts: [], scan: 0, width: 9, height: 9 })));

  test.each<[status: number, error: string, said: object, file?: Blob]>([
    [422, 'x.png: no text was found in it', { content: '[no text]' }],
    [
      422,
      'x.png: this image has more text than the model can write at once',
      { content: 'Once upon', finishReason: 'length' },
    ],
    [
      422,
      'x.png: the model refuses to read this image',
      { content: '', finishReason: 'content_filter' },
    ],
    [
      422,
      'x.png: the model cannot read this image',
      { error: { message: 'Invalid image data.', code: 'invalid_image' }, status: 400 },
    ],
    [500, 'Internal error', { error: { message: 'Unknown parameter.' }, status: 400 }],
    [500, 'Internal error', { error: { message: 'No such key.' }, status: 401 }],
    [
      422,
      'x.png, page 1: the model cannot read this image',
      { error: { message: 'Invalid image data.' }, status: 400 },
      scans(1),
    ],
    [422, 'x.png: it is broken or incomplete', { content: 'Text.' }, new Blob(['%PDF-1.7 not'])],
    [422, 'x.png: more than 200 of its pages are images', { content: 'Text.' }, scans(201)],
    [413, 'FILE_TOO_LARGE', { content: 'Text.' }, new Blob([PNG, new Uint8Array(20 * 1024 ** 2)])],
  ])('%i: %s', async (status, error, said, file = new Blob([PNG])) => {
    model(() => said);
    const before = await credits();
    const { body, ...reply } = await customer.upload('refused', { 'x.png': file });
    expect([reply.status, body.error]).toEqual([status, error]);
    expect(await credits()).toBe(before);
    expect(await tracesOf(gateway, faults, 'refused')).toEqual(NO_TRACES);
  });

  test('a client that goes away ends the request to the model', async () => {
    const asked = Promise.withResolvers<void>();
    mock.on({ predicate: () => true }, () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const away = new AbortController();
    const form = new FormData();
    form.set('datasetId', 'away');
    form.set('file', new Blob([PNG]), 'x.png');
    const sent = customer.raw('POST', '/v1/files/upload', form, { signal: away.signal });
    sent.catch(() => {});
    await asked.promise;
    away.abort();
    await vi.waitFor(
      async () => expect(await tracesOf(gateway, faults, 'away')).toEqual(NO_TRACES),
      SOON,
    );
  });
});

test('without a model images are answered 415, and scanned pages 422', async () => {
  const plain = await startBeside();
  const { upload } = await newCustomer(plain);
  const image = await upload('plain', { 'x.png': new Blob([PNG]) });
  const reason = 'images need a model that reads them, and none is configured';
  expect([image.status, image.body.error]).toEqual([415, `x.png: ${reason}`]);
  const scan = await upload('plain', { 'x.pdf': pdf({ texts: [], scan: 0 }) });
  expect([scan.status, scan.body.error]).toEqual([422, 'x.pdf: no text was found in it']);
  await plain.close();
});
