import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { recording } from '../support/recordings.ts';
import { send as request, streamed } from '../support/requests.ts';
import { NO_TRACES, tracesOf } from '../support/traces.ts';

let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
});
afterAll(() => gateway.close());

const FOX = 'The fox is quick.';

const send = (headers: Record<string, string>, body: BodyInit | ReadableStream) => {
  const stream = body instanceof ReadableStream ? streamed(body) : { body };
  const { credential } = customer;
  return request(gateway, 'POST', '/v1/files/upload', { credential, headers, ...stream });
};
const part = (head: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
const form = { 'content-type': 'multipart/form-data; boundary=x' };
const broken = 'The multipart body is broken';
const wrongType = 'Content-Type must be multipart/form-data';

test.each([
  [415, 'of JSON', { 'content-type': 'application/json' }, '{}', wrongType],
  [415, 'of text', { 'content-type': 'text/plain' }, FOX, wrongType],
  [415, 'of a URL', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b', wrongType],
  [415, 'of related parts', { 'content-type': 'multipart/related; boundary=x' }, '', wrongType],
  [400, 'without a boundary', { 'content-type': 'multipart/form-data' }, part('name="a"'), broken],
  [400, 'that is empty', form, '', broken],
  [400, 'that is something else', form, FOX, broken],
  [400, 'with another boundary', form, '--y\r\n\r\n--y--', broken],
  [400, 'that breaks off in a header', form, '--x\r\nContent-Dispo', broken],
  [400, 'that breaks off in a field', form, `${part('name="datasetId"')}do`, broken],
  [
    400,
    'that breaks off in a file',
    form,
    `${part('name="datasetId"')}broken\r\n${part('name="file"; filename="fox.txt"')}The fo`,
    broken,
  ],
  [
    400,
    'without its end',
    form,
    `${part('name="file"; filename="fox.txt"')}The fox\r\n--x`,
    broken,
  ],
])('%i for a body %s: %s', async (status, _, headers, body, error) => {
  const response = await send(headers, body);
  expect(await response.json()).toStrictEqual({ error });
  expect(response.status).toBe(status);
  expect((await tracesOf(gateway, faults, 'broken')).spooled).toBe(0);
});

test('413 for a file of 101 MB, as soon as it is too large', async () => {
  const { body, taken } = largeFile(300);
  const response = await send(form, body);
  expect(response.status).toBe(413);
  expect(await response.json()).toStrictEqual({ error: 'FILE_TOO_LARGE' });
  expect(taken()).toBeLessThan(110);
  expect((await tracesOf(gateway, faults, 'large')).spooled).toBe(0);
});

test('413 for a file of 101 MB that is called a video and is none', async () => {
  const { body } = largeFile(101, 'Content-Type: video/mp4\r\n');
  const response = await send(form, body);
  expect(response.status).toBe(413);
  expect(await response.json()).toStrictEqual({ error: 'FILE_TOO_LARGE' });
  expect(await tracesOf(gateway, faults, 'large')).toEqual(NO_TRACES);
});

test('415 for a recording of 101 MB that is declared as any file: without a model, not for its size', async () => {
  const { body } = largeFile(101, 'Content-Type: application/octet-stream\r\n', {
    name: 'lecture.WAV',
    content: await (await recording('harbour.wav')).bytes(),
  });
  const response = await send(form, body);
  expect(await response.json()).toStrictEqual({
    error: expect.stringMatching(/^lecture\.WAV: /),
  });
  expect(response.status).toBe(415);
});

describe('nothing of a form is left out', () => {
  const end = '--x--\r\n';
  const fox = `${part('name="file"; filename="fox.txt"')}${FOX}\r\n`;
  const field = (name: string, value: string) => `${part(`name="${name}"`)}${value}\r\n`;
  const bytes = (head: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\nContent-Type: application/octet-stream\r\n\r\n${value}\r\n`;

  test('200 for fields that are sent as bytes', async () => {
    const fields = bytes('name="datasetId"', 'bytes') + bytes('name="metadata"', '{"0":{"a":1}}');
    const response = await send(form, `${fields}${fox}${end}`);
    expect(await response.json()).toMatchObject({ files: [{ extraMeta: { a: 1 } }] });
    expect(response.status).toBe(200);
  });

  test.each([
    ['file must be a file, not text; with curl: -F file=@name', bytes('name="file"', FOX)],
    ['file: a file needs a name', bytes('name="file"; filename=""', FOX)],
    ['file: a file needs a name', bytes('name="file"; filename=".."', FOX)],
    ['metadata must be given once', field('metadata', '{"0":{}}') + field('metadata', '{"1":{}}')],
    ['datasetId must be given once', field('datasetId', 'other')],
  ])('400 %s', async (error, more) => {
    const response = await send(form, `${field('datasetId', 'whole')}${more}${fox}${end}`);
    expect(await response.json()).toStrictEqual({ error });
    expect(response.status).toBe(400);
    expect(await tracesOf(gateway, faults, 'whole')).toEqual(NO_TRACES);
  });

  const unreadable =
    'a part of the form cannot be read: it needs Content-Disposition: form-data with a name, and no line breaks in names';

  test.each([
    ['without headers', `--x\r\n\r\n${FOX}\r\n`],
    ['without Content-Disposition', `--x\r\nContent-Type: text/plain\r\n\r\n${FOX}\r\n`],
    [
      'that is an attachment',
      `--x\r\nContent-Disposition: attachment; name="file"; filename="b.txt"\r\n\r\n${FOX}\r\n`,
    ],
    ['with a line break in its file name', bytes(`name="file"; filename*=UTF-8''b%0D%0A.txt`, FOX)],
    ['that is a file without a field', bytes('filename="b.txt"', FOX)],
    ['that is a field without a name', bytes('x=y', FOX)],
    ['with a header that is none', `--x\r\nfile b.txt\r\n\r\n${FOX}\r\n`],
  ])('400 for a part %s, wherever it is', async (_, wrong) => {
    const parts = [field('datasetId', 'whole'), fox];
    for (const at of [0, 1, 2]) {
      const response = await send(form, `${parts.toSpliced(at, 0, wrong).join('')}${end}`);
      expect(await response.json()).toStrictEqual({ error: unreadable });
      expect(response.status).toBe(400);
    }
    expect(await tracesOf(gateway, faults, 'whole')).toEqual(NO_TRACES);
  });

  test.each([
    ['file', 'file"; filename="b.txt', 'base64', 'VGhlIGhlbiBpcyBzbG93Lg=='],
    ['file', 'file"; filename="b.txt', 'Quoted-Printable', 'The hen is slow.=20'],
    ['metadata', 'metadata', 'base64', 'eyIwIjp7fX0='],
  ])(
    '400 for a %s that a client has encoded: what is stored would be another',
    async (name, head, encoding, value) => {
      const encoded = `--x\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Disposition: form-data; name="${head}"\r\n\r\n${value}\r\n`;
      const response = await send(form, `${field('datasetId', 'whole')}${encoded}${fox}${end}`);
      expect(await response.json()).toStrictEqual({
        error: `${name} must be sent as it is, not encoded as ${encoding.toLowerCase()}`,
      });
      expect(response.status).toBe(400);
      expect(await tracesOf(gateway, faults, 'whole')).toEqual(NO_TRACES);
    },
  );

  test('200 for parts that say that they are as they are', async () => {
    const plain = ['7bit', '8bit', 'binary'].map(
      (encoding, at) =>
        `--x\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Disposition: form-data; name="file"; filename="${at}.txt"\r\n\r\n${FOX}\r\n`,
    );
    const response = await send(form, `${field('datasetId', 'plain')}${plain.join('')}${end}`);
    expect(await response.json()).toMatchObject({ billed: { fileCount: 3 } });
  });

  test.each([
    'naïve.txt',
    // Its base64 has a slash.
    'ÿ?.txt',
  ])('200 for %s as .NET sends it: the name is decoded', async (name) => {
    const word = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
    const named = `${part(`name="file"; filename="${word}"`)}${FOX}\r\n`;
    const response = await send(form, `${field('datasetId', 'names')}${named}${end}`);
    expect(await response.json()).toMatchObject({ files: [{ originalName: name }] });
  });

  test.each([
    ['plain', 'boundary=-Bound.x'],
    ['quoted', 'charset=utf-8; Boundary="-Bound.x"'],
  ])('200 for a %s boundary, in whatever pieces the body comes', async (_, parameters) => {
    const text = `${field('datasetId', 'pieces')}${fox}${end}`.replaceAll('--x', '---Bound.x');
    const bytes = new TextEncoder().encode(`a preamble\r\n${text}an epilogue`);
    for (const size of [1, 7, 10, 11, 12, 13, 64]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const headers = { 'content-type': `multipart/form-data; ${parameters}` };
      const response = await send(headers, Readable.toWeb(Readable.from(pieces)) as ReadableStream);
      expect(await response.json()).toMatchObject({ files: [{ originalName: 'fox.txt' }] });
    }
  });

  test('200 for a file input that was left empty, and a field that is repeated as it is', async () => {
    const empty = bytes('name="file"; filename=""', '');
    const twice = field('datasetId', 'empty').repeat(2);
    const response = await send(form, `${twice}${empty}${fox}${end}`);
    expect(await response.json()).toMatchObject({ files: [{ originalName: 'fox.txt' }] });
  });
});

test.each([
  ['in the form', '', `${part('name="datasetId"')}caf\xe9\r\n`],
  ['in the URL', '?datasetId=caf%E9', ''],
])(
  '400 for a dataset id %s that is not UTF-8: it would be another one',
  async (_, query, field) => {
    const fox = `${part('name="file"; filename="fox.txt"')}${FOX}\r\n`;
    const { credential } = customer;
    const response = await request(gateway, 'POST', `/v1/files/upload${query}`, {
      ...{ credential, headers: form },
      body: Buffer.from(`${field}${fox}--x--`, 'latin1'),
    });
    expect(await response.json()).toStrictEqual({ error: 'datasetId must be readable text' });
    expect(response.status).toBe(400);
  },
);

test('400 for more than 100 fields, of which none is left out', async () => {
  const fields = Array.from({ length: 101 }, (_, at) => `${part(`name="x${at}"`)}1\r\n`);
  const response = await send(form, `${fields.join('')}--x--`);
  expect(response.status).toBe(400);
  expect(await response.json()).toStrictEqual({
    error: 'at most 100 fields at once, besides files',
  });
});

test('401 without a credential, before the body is read', async () => {
  const { body, taken } = largeFile(300);
  const response = await request(gateway, 'POST', '/v1/files/upload', {
    headers: form,
    ...streamed(body),
  });
  expect(response.status).toBe(401);
  expect(taken()).toBeLessThanOrEqual(1);
});

/** A form with one file of so many MB, made as it is taken. */
function largeFile(
  megabytes: number,
  headers = '',
  file = { name: 'large.txt', content: new Uint8Array() },
) {
  const piece = new Uint8Array(1024 ** 2).fill(97);
  const encoder = new TextEncoder();
  let taken = 0;
  const body = new ReadableStream({
    start(controller) {
      const head = `--x\r\n${headers}Content-Disposition: form-data; name="file"; filename="${file.name}"`;
      controller.enqueue(encoder.encode(`${part('name="datasetId"')}large\r\n${head}\r\n\r\n`));
      controller.enqueue(file.content);
    },
    pull(controller) {
      if (taken === megabytes) {
        controller.enqueue(encoder.encode('\r\n--x--\r\n'));
        controller.close();
        return;
      }
      taken += 1;
      controller.enqueue(piece);
    },
  });
  return { body, taken: () => taken };
}
