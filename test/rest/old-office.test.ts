import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createTextExtractor } from '../../src/adapters/extraction/text-extractor.ts';
import { readConfig } from '../../src/config/config.ts';
import type { TextExtractor } from '../../src/ports/text-extractor.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { NO_TRACES, tracesOf } from '../support/traces.ts';
import { page, startWebServer, type WebServer } from '../support/web-server.ts';

const PATH = process.env['PATH'];
const { office } = readConfig({ PATH });
const OLD = 'documents of old Office versions cannot be read: save it as .docx or .pptx';

/** The letter has an image that it would fetch from this port. */
const PORT = '18100';
const letterOf = async (port: string | number = PORT) => {
  const bytes = await readFile('test/fixtures/office/lighthouse-letter.doc', 'latin1');
  return new Blob([Buffer.from(bytes.replace(PORT, String(port)), 'latin1')]);
};
const slides = async () =>
  new Blob([gunzipSync(await readFile('test/fixtures/office/tides.ppt.gz'))]);

/** On a busy machine. */
const SOON = { timeout: 10_000 };
const faults = createFaults();
let extractor: TextExtractor;
let gateway: TestGateway;
let customer: Client;

async function startWith(program: string | undefined): Promise<void> {
  extractor = createTextExtractor({ processes: 1, office: program });
  gateway = await startBeside({}, (deps) => faults.override({ ...deps, extractor }));
  customer = await newCustomer(gateway);
}
const end = async () => {
  await gateway.close();
  await extractor.close();
};

// LibreOffice is large: where it is not installed, CI included, this is left out.
describe.skipIf(!office)('with LibreOffice', () => {
  let server: WebServer;
  beforeAll(async () => {
    server = await startWebServer({ '/lamp.png': page('') });
    await startWith(office);
  });
  afterAll(async () => {
    await end();
    await server.close();
  });

  test('200: .doc and .ppt are read, keep their bytes, and fetch nothing', {
    timeout: 60_000,
  }, async () => {
    const letter = await letterOf(server.port);
    // Its content tells what it is, not its name.
    const { status, body } = await customer.upload('old', {
      'letter.bin': letter,
      'tides.ppt': await slides(),
    });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.files).toMatchObject([
      { mimeType: 'application/msword', size: letter.size },
      { mimeType: 'application/vnd.ms-powerpoint' },
    ]);
    const search = async (question: string) =>
      (await customer.rest('POST', '/search', { datasetId: 'old', question })).body.data[0];
    expect(await search('How many candles does the boat bring?')).toMatchObject({
      pageContent: expect.stringContaining('The boat brings forty candles on Tuesday.'),
      metadata: { heading: 'Letter to the lighthouse' },
    });
    expect(await search('What is the range at half moon?')).toMatchObject({
      pageContent: expect.stringContaining('At half moon the range is two metres.'),
      metadata: { slide: 2 },
    });
    expect(server.asked).toEqual([]);
    expect((await tracesOf(gateway, faults, 'old')).spooled).toBe(0);
  });
});

describe('with a program in its place', () => {
  const folder = join(inject('folder'), 'office');
  const program = join(folder, 'soffice');
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    await startWith(program);
  });
  afterAll(end);
  const place = async (script: string) => {
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
  };

  test('422 for a document of which it makes nothing', async () => {
    await place('exit 0');
    const { status, body } = await customer.upload('broken', { 'x.doc': await letterOf() });
    expect([status, body.error]).toEqual([422, 'x.doc: it is broken, or protected by a password']);
    expect(await tracesOf(gateway, faults, 'broken')).toEqual(NO_TRACES);
  });

  test('a client that goes away ends all of its processes, which have no settings', async () => {
    // Like soffice, it starts a process of its own.
    await place(`env >${folder}/env; sleep 60 & echo $$ $! >${folder}/pids; wait`);
    const form = new FormData();
    form.set('datasetId', 'away');
    form.set('file', await letterOf(), 'letter.doc');
    const away = new AbortController();
    const sent = customer.raw('POST', '/v1/files/upload', form, { signal: away.signal });
    sent.catch(() => {});
    const pids = await vi.waitFor(async () => {
      const text = await readFile(join(folder, 'pids'), 'utf8');
      expect(text).toMatch(/^\d+ \d+\n$/);
      return text.trim().split(' ');
    }, SOON);
    away.abort();
    await vi.waitFor(async () => {
      for (const pid of pids) expect(isRunning(pid)).toBe(false);
      expect(await tracesOf(gateway, faults, 'away')).toEqual(NO_TRACES);
    }, SOON);
    expect(await readFile(join(folder, 'env'), 'utf8')).not.toMatch(/TOKEN|DATABASE|KEY|VITEST/);
  });
});

/** Whether a process has not ended; nobody may have asked for its result yet. */
function isRunning(pid: string): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

describe('without LibreOffice', () => {
  beforeAll(() => startWith(undefined));
  afterAll(end);

  test.each([
    ['letter.doc', letterOf],
    ['letter.bin', letterOf],
    ['tides.ppt', slides],
  ])('415 for %s', async (name, content) => {
    const { status, body } = await customer.upload('none', { [name]: await content() });
    expect([status, body.error]).toEqual([415, `${name}: ${OLD}`]);
  });
});

test('the program is looked for in PATH, or set', async () => {
  const folder = join(inject('folder'), 'found');
  await mkdir(folder, { recursive: true });
  const program = join(folder, 'soffice');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  expect(readConfig({}).office).toBeUndefined();
  expect(readConfig({ PATH: `/nowhere:${folder}` }).office).toBe(program);
  expect(readConfig({ PATH: folder, LIBREOFFICE_PATH: 'none' }).office).toBeUndefined();
  expect(readConfig({ LIBREOFFICE_PATH: program }).office).toBe(program);
  expect(() => readConfig({ LIBREOFFICE_PATH: '/nowhere/soffice' })).toThrow(
    'LIBREOFFICE_PATH: must be a program that can be run, not /nowhere/soffice',
  );
});
