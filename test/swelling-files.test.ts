import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { word } from './adapters/extraction/zip.ts';
import { familyOf, residentMemory } from './support/child-processes.ts';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { shareGateway, type TestGateway } from './support/gateway.ts';
import { type OwnGateway, startOwnGateway } from './support/process.ts';
import { swellingPdf } from './support/swelling-files.ts';

const MEGABYTE = 1024 * 1024;

describe('a gateway to which files are sent that swell', () => {
  let gateway: OwnGateway;
  let me: Client;

  beforeAll(async () => {
    gateway = await startOwnGateway();
    me = createClient(gateway, gateway.apiKey);
    expect((await me.upload('docs', { 'before.txt': 'Uploaded before.' })).status).toBe(200);
  });
  afterAll(() => gateway.remove());

  test('422, and all but the process that read it keep their memory', async () => {
    const { pid } = gateway.child;
    const before = await residentMemory(pid);
    const most = new Map(before);
    const upload = me.upload('docs', { 'swells.pdf': new Blob([new Uint8Array(swellingPdf())]) });
    const readers = new Set<number>();
    let answered = false;
    const answer = upload.finally(() => {
      answered = true;
    });
    while (!answered) {
      for (const { pid: id, resident, args } of await familyOf(pid)) {
        if (args.includes('extraction-process.ts')) readers.add(id);
        most.set(id, Math.max(resident, most.get(id) ?? 0));
      }
      await pause(100);
    }
    const { status, body } = await answer;
    expect(status).toBe(422);
    expect(body).toEqual({ error: 'swells.pdf: it takes too much memory to read' });
    for (const [id, bytes] of most) {
      if (readers.has(id)) expect(bytes).toBeLessThan(1900 * MEGABYTE);
      else expect(bytes).toBeLessThan((before.get(id) ?? 0) + 150 * MEGABYTE);
    }
  }, 120_000);

  test('it lives, with nothing of them, and reads the next file', async () => {
    expect((await me.upload('docs', { 'after.txt': 'Uploaded after.' })).status).toBe(200);
    const { body } = await me.rest('GET', '/files?datasetId=docs');
    const names = body.files.map(({ originalName }: { originalName: string }) => originalName);
    expect(names).toEqual(['after.txt', 'before.txt']);
  });
});

describe('one customer with many large files', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await shareGateway();
  });
  afterAll(() => gateway.close());

  test('keeps no other waiting who has a tiny one', async () => {
    const [busy, other] = [await newCustomer(gateway), await newCustomer(gateway)];
    const large = new Blob([new Uint8Array(emptyParagraphs(10_000))]);
    const order: string[] = [];
    const uploads = Array.from({ length: 8 }, async () => {
      const { body } = await busy.upload('docs', { 'large.docx': large });
      expect(body).toEqual({ error: 'large.docx: no text was found in it' });
      order.push('large');
    });
    await pause(300);
    expect((await other.upload('docs', { 'tiny.txt': 'A tiny file.' })).status).toBe(200);
    order.push('tiny');
    await Promise.all(uploads);
    expect(order.indexOf('tiny')).toBeLessThanOrEqual(2);
  });
});

/** A Word document that takes a while to read, and nothing afterwards. */
function emptyParagraphs(count: number): Buffer {
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const body = '<w:p><w:r><w:t></w:t></w:r></w:p>'.repeat(count);
  return word(`<w:document xmlns:w="${namespace}"><w:body>${body}</w:body></w:document>`);
}
