import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from './support/audit.ts';
import { type Client, createClient } from './support/client.ts';
import { ask, embeddedIn } from './support/databases.ts';
import { EFFORT } from './support/effort.ts';
import { createFilequery } from './support/filequery.ts';
import { graphqlTransport } from './support/graphql-transport.ts';
import { type OwnGateway, startOwnGateway } from './support/process.ts';
import { restTransport } from './support/rest-transport.ts';
import { resultOf, type ShownFile, type Transport } from './support/transport.ts';

/* A process that is killed in the middle of uploads, again and again, on one data folder. */

const docs = { datasetId: 'docs' };
const LINES = 300;
/** The answer to an upload may be lost on its way: then the file is there, and whole, all the same. */
const started = new Set<string>();
const acknowledged = new Set<string>();

let gateway: OwnGateway;

beforeAll(async () => {
  gateway = await startOwnGateway({ LOG_LEVEL: 'silent' });
});
afterAll(() => gateway.remove());

it.each(Array.from({ length: EFFORT }, (_, at) => at + 1))(
  'kill %i in the middle of uploads loses nothing that was acknowledged and leaves nothing else',
  async (round) => {
    const uploads = Promise.all(
      [0, 1, 2, 3, 4, 5].map((lane) =>
        uploadUntilKilled(lane % 2 === 0 ? restTransport : graphqlTransport, `${round}-${lane}`),
      ),
    );
    const enough = acknowledged.size + 6;
    while (acknowledged.size < enough) await pause(5);
    await pause(round * 20);
    await Promise.all([uploads, gateway.end('SIGKILL')]);
    expect(started.size).toBeGreaterThan(acknowledged.size);

    await gateway.restart();
    const me = createClient(gateway, gateway.apiKey);
    const listed = resultOf(await restTransport.list(me, docs));
    const names = new Set(listed.map(({ originalName }) => originalName));
    expect(acknowledged.isSubsetOf(names)).toBe(true);
    expect(names.isSubsetOf(started)).toBe(true);
    for (const file of listed) await expectWhole(me, file);
    await expectFound(me, listed);

    await sweepAll();
    expect(await audit(gateway)).toEqual({});
    expect(resultOf(await restTransport.list(me, docs))).toEqual(listed);
  },
);

it('a kill while a large copy is stored leaves nothing of it', async () => {
  const objects = join(gateway.dataDir, 'objects');
  const before = await readdir(objects, { recursive: true });
  const me = createClient(gateway, gateway.apiKey);
  const large = new Blob([new Uint8Array(95 * 1024 ** 2).fill(97)]);
  const upload = restTransport
    .upload(me, { ...docs, files: { 'large.txt': large } })
    .catch(() => {});
  while ((await readdir(objects, { recursive: true })).length === before.length) await pause(1);
  await Promise.all([upload, gateway.end('SIGKILL')]);

  await gateway.restart();
  await sweepAll();
  expect(await audit(gateway)).toEqual({});
});

/** Has everything swept that is due one day, by the command line beside the gateway. */
async function sweepAll(): Promise<void> {
  await ask(embeddedIn(gateway.dataDir), 'UPDATE pending_file SET due = now()');
  const swept = await createFilequery(gateway.dataDir).json('sweep');
  expect(swept).toEqual({ removed: expect.any(Number), failed: 0 });
}

async function uploadUntilKilled(transport: Transport, lane: string): Promise<void> {
  for (let file = 0; gateway.child.signalCode === null; file++) {
    await upload(transport, `${lane}-${file}.txt`).catch(() => {});
  }
}

async function upload(transport: Transport, name: string): Promise<void> {
  started.add(name);
  const me = createClient(gateway, gateway.apiKey);
  resultOf(await transport.upload(me, { ...docs, files: { [name]: textOf(name) } }));
  acknowledged.add(name);
}

/** Its stored copy is what was sent, and all of its chunks are found. */
async function expectWhole(me: Client, { fileId, originalName }: ShownFile): Promise<void> {
  const { permanentUrl = '' } = resultOf(await restTransport.get(me, { ...docs, fileId }));
  const download = await gateway.fetch(new Request(permanentUrl));
  expect(await download.text()).toBe(textOf(originalName));
  const filters = [{ key: 'fileId', match: { value: fileId } }];
  const asked = { ...docs, question: 'mountains', limit: 50, filters };
  const found = resultOf(await graphqlTransport.search(me, asked));
  const lines = found.flatMap(({ pageContent }) => pageContent.match(/Line \d+/g) ?? []);
  expect(new Set(lines).size).toBe(LINES);
}

/** Every chunk that a search finds is of a file that is listed. */
async function expectFound(me: Client, listed: ShownFile[]): Promise<void> {
  const found = resultOf(
    await restTransport.search(me, { ...docs, question: 'mountains', limit: 50 }),
  );
  const ids = found.map(({ metadata }) => (metadata as { fileId: string }).fileId);
  expect(new Set(ids).isSubsetOf(new Set(listed.map(({ fileId }) => fileId)))).toBe(true);
}

/** A text of many chunks. */
function textOf(name: string): string {
  const about = `of ${name} tells of valleys, rivers and mountains far away.`;
  return Array.from({ length: LINES }, (_, line) => `Line ${line} ${about}\n`).join('');
}
