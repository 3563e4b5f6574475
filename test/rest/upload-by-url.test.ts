import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHttpFetcher } from '../../src/adapters/fetching/http-fetcher.ts';
import { createClient } from '../../src/client/index.ts';
import { StartUploadDocument, UploadFilesDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { FOX, file, form } from '../support/forms.ts';
import { startBeside, startGateway, type TestGateway } from '../support/gateway.ts';
import { NO_TRACES, tracesOf, wholeFiles } from '../support/traces.ts';
import { page, redirect, startWebServer, type WebServer } from '../support/web-server.ts';

const HEN = 'The hen is slow.';
/** On a busy machine. */
const SOON = { timeout: 10_000 };
const faults = createFaults();
let gateway: TestGateway;
let server: WebServer;
let client: Client & { apiKey: string };

/** The system knows none of these names. */
const NAMES: Record<string, string[]> = {
  'files.test': ['127.0.0.1'],
  'private.test': ['127.0.0.1'],
  'one-is-private.test': ['1.1.1.1', '10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'six.test': ['::1'],
};

beforeAll(async () => {
  server = await startWebServer({
    '/fox.txt': page(FOX),
    '/hen.txt': page(HEN, { 'content-type': 'text/plain' }),
    '/again/hen.txt': page(HEN),
    '/moved': redirect('/hen.txt'),
    '/blank.txt': page(' \n '),
    '/empty.txt': page(''),
    '/round': redirect('/round'),
    '/to-private': redirect('http://private.test:8080/hen.txt'),
    '/to-loopback': redirect(`http://127.0.0.1:8080/hen.txt`),
    '/to-metadata': redirect('http://169.254.169.254/latest/meta-data'),
    '/to-file': redirect('file:///etc/passwd'),
    '/to-password': redirect('http://user:password@files.test/hen.txt'),
    '/to-nowhere': (_, response) => response.writeHead(302).end(),
    '/declares-too-much.txt': page('', { 'content-length': String(101 * 1024 ** 2) }),
    '/endless.txt': (_, response) => sendEndlessly(response),
    '/cut.txt': (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write(FOX);
      setTimeout(() => response.destroy(), 20);
    },
    '/slow.txt': (_, response) => response.writeHead(200).write(FOX),
    '/silent.txt': () => {},
    '/switching.txt': (_, response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
  });
  gateway = await startGateway({}, (deps) =>
    faults.override({
      ...deps,
      fetcher: createHttpFetcher({
        allowed: { hosts: ['files.test'], networks: [] },
        userAgent: 'test',
        // 100 MB come meanwhile, from a server in this process.
        intervalMs: 1500,
        async resolve(host) {
          const found = NAMES[host] ?? [];
          return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        },
      }),
    }),
  );
  client = await newCustomer(gateway);
});
afterEach(() => {
  server.asked.length = 0;
  faults.mend();
});
afterAll(async () => {
  await gateway.close();
  await server.close();
});

/** Compressed, so that little is sent for much: 10 MiB at a time. */
function sendEndlessly(response: ServerResponse): void {
  const part = gzipSync(Buffer.alloc(10 * 1024 ** 2, ' '), { level: 1 });
  const more = () => {
    if (!response.destroyed) response.write(part, more);
  };
  response.writeHead(200, { 'content-encoding': 'gzip' });
  more();
}

const at = (path: string) => `http://files.test:${server.port}${path}`;

function post(datasetId: string, parts: [string, string | File][], by = client) {
  return by.rest('POST', '/files/upload', form([['datasetId', datasetId], ...parts]));
}

describe('files by URL', () => {
  test('200: they come after those that are sent, and are stored as these are', async () => {
    const { status, body } = await post('mixed', [
      ['urls', at('/moved')],
      ['file', file('fox.txt')],
      ['urls', ''],
      ['urls', JSON.stringify([at('/fox.txt?signature=secret')])],
      ['metadata', JSON.stringify({ [at('/moved')]: { a: 1 }, 0: { b: 2 }, 2: { c: 3 } })],
    ]);
    expect(status).toBe(200);
    expect(body.billed).toEqual({ fileCount: 3, uploadUnits: 3 });
    expect(body.files).toMatchObject([
      { originalName: 'fox.txt', extraMeta: { b: 2 }, size: FOX.length },
      { originalName: 'hen.txt', extraMeta: { a: 1 }, size: HEN.length, mimeType: 'text/plain' },
      { originalName: 'fox.txt', extraMeta: { c: 3 }, extension: '.txt' },
    ]);
    const { fileId } = body.files[1];
    const { body: got } = await client.rest('GET', `/files/${fileId}?datasetId=mixed`);
    expect(await (await gateway.download(got.file.permanentUrl)).text()).toBe(HEN);
    expect(await tracesOf(gateway, faults, 'mixed')).toEqual(wholeFiles(3));
  });

  test('200 without a form, over GraphQL, also for an asynchronous upload', async () => {
    const { data } = await client.graphql(UploadFilesDocument, {
      datasetId: 'bare',
      urls: [at('/hen.txt')],
    });
    expect(data.uploadFiles.files).toMatchObject([{ originalName: 'hen.txt' }]);
    const started = await client.graphql(StartUploadDocument, {
      datasetId: 'started',
      urls: [at('/hen.txt'), at('/fox.txt')],
    });
    const { ingestionId } = started.data.startUpload.ingestion;
    await vi.waitFor(async () => {
      const found = await client.graphql(
        `{ ingestion(ingestionId: "${ingestionId}") { status files { originalName } } }`,
      );
      expect(found.data.ingestion).toEqual({
        status: 'COMPLETED',
        files: [{ originalName: 'hen.txt' }, { originalName: 'fox.txt' }],
      });
    }, SOON);
    expect(await tracesOf(gateway, faults, 'started')).toEqual(wholeFiles(2));
  });

  test('200 with the client', async () => {
    const { upload } = createClient({
      url: 'http://filequery.test',
      credential: client.apiKey,
      fetch: async (input, init) => gateway.fetch(new Request(input, init)),
    });
    const { files } = await upload([], { datasetId: 'client', urls: [at('/hen.txt')] });
    expect(files).toMatchObject([{ originalName: 'hen.txt' }]);
  });

  test('400 where it is turned off', async () => {
    const closed = await startBeside({ UPLOAD_URLS: 'false' });
    const { status, body } = await post(
      'closed',
      [['urls', at('/hen.txt')]],
      await newCustomer(closed),
    );
    expect([status, body.error]).toEqual([400, 'urls: this gateway fetches no files']);
    await closed.close();
  });

  test('200: a copy is skipped, and costs nothing', async () => {
    const { body } = await post('copies', [
      ['urls', at('/hen.txt')],
      ['urls', at('/again/hen.txt')],
      ['file', file('other.txt', HEN)],
      ['onDuplicate', 'SKIP'],
    ]);
    expect(body).toMatchObject({ billed: { fileCount: 1 }, skipped: [{}, {}] });
  });

  test('200: a repeat with the same key is not fetched again, and 409 for other URLs', async () => {
    const send = (path: string) =>
      client.raw(
        'POST',
        '/v1/files/upload',
        form([
          ['datasetId', 'repeats'],
          ['urls', at(path)],
        ]),
        {
          headers: { 'idempotency-key': 'one' },
        },
      );
    const [first, second] = [await send('/hen.txt'), await send('/hen.txt')];
    expect(await second.json()).toEqual(await first.json());
    expect((await send('/fox.txt')).status).toBe(409);
    expect(server.asked).toEqual(['/hen.txt']);
  });

  test('400 for files that would replace each other', async () => {
    const { status, body } = await post('twins', [
      ['urls', at('/hen.txt')],
      ['urls', at('/again/hen.txt')],
      ['onDuplicate', 'REPLACE'],
    ]);
    expect([status, body.error]).toEqual([
      400,
      'onDuplicate REPLACE needs different names: hen.txt is there twice',
    ]);
    expect(await tracesOf(gateway, faults, 'twins')).toEqual(NO_TRACES);
  });

  test('402 before anything is fetched, and a failure is refunded', async () => {
    const poor = await newCustomer(gateway, '1');
    const both: [string, string | File][] = [
      ['file', file('fox.txt')],
      ['urls', at('/hen.txt')],
    ];
    expect((await post('poor', both, poor)).status).toBe(402);
    expect(server.asked).toEqual([]);
    expect((await post('poor', [['urls', at('/blank.txt')]], poor)).status).toBe(422);
    expect((await post('poor', [['urls', at('/hen.txt')]], poor)).status).toBe(200);
  });
});

describe('what is refused leaves nothing', () => {
  const private_ = 'it has no public address';
  const notAllowed = 'it leads to an address that is not fetched';

  test.each([
    ['a private name', 'http://private.test:8080/x', private_],
    ['a name that is not known', 'http://unknown.test:8080/x', private_],
    ['a name of which one address is private', 'http://one-is-private.test/x', private_],
    ['a name of IPv6', 'http://six.test:8080/x', private_],
    ['a metadata service', 'http://metadata.test/latest', private_],
    ['a decimal number', 'http://2130706433:8080/x', private_],
    ['hexadecimal digits', 'http://0x7f.1:8080/x', private_],
    ['octal digits', 'http://0177.0.0.01:8080/x', private_],
    ['a dot at the end', 'http://private.test.:8080/x', private_],
    ['full-width digits', 'http://１２７.0.0.1:8080/x', private_],
    ['IPv6', 'http://[::1]:8080/x', private_],
    ['IPv4 in IPv6', 'http://[::ffff:127.0.0.1]:8080/x', private_],
    ['NAT64', 'http://[64:ff9b::7f00:1]:8080/x', private_],
    ['a port of another protocol', 'http://files.test:25/x', notAllowed],
  ])('422 for %s', async (_, url, reason) => {
    const { status, body } = await post('private', [['urls', url]]);
    const [, shown = ''] = /^(\S+): it/.exec(body.error) ?? [];
    expect([status, body.error]).toEqual([422, `${shown}: ${reason}`]);
    expect(server.asked).toEqual([]);
  });

  test.each([
    ['/to-private', private_],
    ['/to-loopback', private_],
    ['/to-metadata', private_],
    ['/to-file', notAllowed],
    ['/to-password', notAllowed],
    ['/to-nowhere', 'its server answered 302'],
    ['/round', 'it is redirected too often'],
    ['/missing.txt?signature=secret', 'its server answered 404'],
    ['/cut.txt', 'its server ended the connection too early'],
    ['/slow.txt', 'its server is too slow'],
    ['/silent.txt', 'its server is too slow'],
    ['/switching.txt', 'its server cannot be reached'],
  ])('422 for %s', async (path, reason) => {
    const { status, body } = await post('refused', [
      ['file', file('fox.txt')],
      ['urls', at('/hen.txt')],
      ['urls', at(path)],
    ]);
    const [shown] = at(path).split('?');
    expect([status, body.error]).toEqual([422, `${shown}: ${reason}`]);
    expect(await tracesOf(gateway, faults, 'refused')).toEqual(NO_TRACES);
  });

  test('422 for a server that is not there', async () => {
    const gone = await startWebServer({});
    await gone.close();
    const { body } = await post('refused', [['urls', `http://files.test:${gone.port}/x`]]);
    expect(body.error).toBe(`http://files.test:${gone.port}/x: its server cannot be reached`);
  });

  test('422 for an empty file', async () => {
    const { status, body } = await post('refused', [['urls', at('/empty.txt')]]);
    expect([status, body.error]).toEqual([422, 'empty.txt: it is empty']);
  });

  test.each(['/declares-too-much.txt', '/endless.txt'])('413 for %s', async (path) => {
    const { status, body } = await post('large', [['urls', at(path)]]);
    expect([status, body.error]).toEqual([
      413,
      `${at(path)}: a file may have 100 MiB (audio and video 2048 MiB), and an upload 2048 MiB`,
    ]);
    expect(await tracesOf(gateway, faults, 'large')).toEqual(NO_TRACES);
  });

  test.each([
    ['urls must begin with https:// or http://', 'ftp://files.test/x'],
    ['urls must have no user name and no password', 'http://user@files.test/x'],
    ['urls must be URLs of at most 8000 characters', 'files.test/x'],
    ['urls must be URLs of at most 8000 characters', `http://files.test/${'x'.repeat(8000)}`],
    ['urls must be URLs of at most 8000 characters', '[1]'],
    ['urls must be URLs, or a JSON list of them', '["http://files.test/x"'],
    [
      'file and urls: at most 20 at once',
      JSON.stringify(Array.from({ length: 21 }, () => 'http://files.test/x')),
    ],
    ['metadata names no file of this upload: x', 'http://files.test/x'],
  ])('400: %s', async (error, urls) => {
    const { status, body } = await post('wrong', [
      ['urls', urls],
      ['metadata', error.startsWith('metadata') ? '{"x":{}}' : ''],
    ]);
    expect([status, body.error]).toEqual([400, error]);
  });

  test('a client that goes away ends the connection, and nothing is left', async () => {
    const away = new AbortController();
    const sent = client.raw(
      'POST',
      '/v1/files/upload',
      form([
        ['datasetId', 'away'],
        ['urls', at('/slow.txt')],
      ]),
      {
        signal: away.signal,
      },
    );
    sent.catch(() => {});
    await vi.waitFor(() => expect(server.asked).toEqual(['/slow.txt']), SOON);
    away.abort();
    await vi.waitFor(async () => {
      expect(await server.connections()).toBe(0);
      expect(await tracesOf(gateway, faults, 'away')).toEqual(NO_TRACES);
    }, SOON);
  });
});
