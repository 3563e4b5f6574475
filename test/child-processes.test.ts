import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paragraphs } from './adapters/extraction/zip.ts';
import { childrenOf, runs } from './support/child-processes.ts';
import { type Client, createClient } from './support/client.ts';
import { type GatewayProcess, type OwnGateway, run, startOwnGateway } from './support/process.ts';

/* Processes of a gateway that end while it goes on, and the other way round. */

const DATABASE = 'embedded-postgres-process.ts';
const READER = 'extraction-process.ts';

describe('in a folder', () => {
  let gateway: OwnGateway;
  let me: Client;

  beforeAll(async () => {
    gateway = await startOwnGateway();
    me = createClient(gateway, gateway.apiKey);
    expect((await me.upload('docs', { 'before.txt': 'Uploaded before.' })).status).toBe(200);
  });
  afterAll(() => gateway.remove());

  it('a signal to all processes of a terminal does not end the database', async () => {
    const database = await databaseOf(gateway);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(database, signal);
    await pause(100);
    expect(await me.rest('GET', '/files?datasetId=docs')).toMatchObject({ status: 200 });
    expect(await databaseOf(gateway)).toBe(database);
  });

  it('a database that is killed is an outage, which heals', async () => {
    const killed = await databaseOf(gateway);
    process.kill(killed, 'SIGKILL');
    const { statuses, headers } = await askUntilAnswered();
    expect(new Set(statuses)).toEqual(new Set([503, 200]));
    expect(headers?.get('retry-after')).toBe('5');
    await gateway.wrote(/\{"level":50,.*"how":"by SIGKILL","msg":"the embedded database ended/);

    const { body } = await me.rest('GET', '/files?datasetId=docs');
    expect(body.files).toMatchObject([{ originalName: 'before.txt' }]);
    expect((await me.upload('docs', { 'after.txt': 'Uploaded after.' })).status).toBe(200);
    const ready = await gateway.fetch(new Request('http://filequery.test/ready'));
    expect(ready.status).toBe(200);
    expect(await databaseOf(gateway)).not.toBe(killed);
  });

  it('a gateway that is killed takes its database with it, and the next has all of it', async () => {
    const database = await databaseOf(gateway);
    await gateway.end('SIGKILL');
    // At once: what the killed one leaves may still be ending.
    await gateway.restart();
    expect(await runs(database)).toBe(false);
    me = createClient(gateway, gateway.apiKey);
    const { body } = await me.rest('GET', '/files?datasetId=docs');
    const names = body.files.map(({ originalName }: { originalName: string }) => originalName);
    expect(names).toEqual(['after.txt', 'before.txt']);
  });

  it('a gateway that is killed takes what reads a file with it, however busy that is', async () => {
    const long = new Blob([paragraphs(300_000)]);
    const upload = me.upload('docs', { 'long.docx': long }).catch(() => 'cut');
    let readers: number[] = [];
    while (readers.length === 0) readers = await childrenOf(gateway.child.pid, READER);
    await pause(500);
    gateway.child.kill('SIGKILL');
    expect(await upload).toBe('cut');
    await gateway.ended;
    for (const reader of readers) while (await runs(reader)) await pause(50);
    await gateway.restart();
    me = createClient(gateway, gateway.apiKey);
    const { body } = await me.rest('GET', '/files?datasetId=docs');
    expect(body.files).toHaveLength(2);
  });

  it('a gateway that is killed while its database works is followed by one that waits', async () => {
    const database = await databaseOf(gateway);
    process.kill(database, 'SIGSTOP');
    await gateway.end('SIGKILL');
    const restarted = gateway.restart();
    expect(await Promise.race([restarted, pause(1500, 'waits')])).toBe('waits');
    process.kill(database, 'SIGCONT');
    await restarted;
    expect(await runs(database)).toBe(false);
    me = createClient(gateway, gateway.apiKey);
    const { body } = await me.rest('GET', '/files?datasetId=docs');
    expect(body.files).toHaveLength(2);
  });

  it('a database that ends three times within a minute ends the gateway with one line', async () => {
    for (const _ of [1, 2]) {
      process.kill(await databaseOf(gateway), 'SIGKILL');
      await askUntilAnswered();
    }
    process.kill(await databaseOf(gateway), 'SIGKILL');
    const { code, stderr } = await gateway.ended;
    expect(code).toBe(1);
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(lines).toEqual([
      'DATA_DIR: the embedded database ended 3 times within a minute, at last by SIGKILL',
    ]);
  });

  /** What a client hears that asks on until it is answered. */
  async function askUntilAnswered() {
    const statuses: number[] = [];
    let headers: Headers | undefined;
    while (statuses.at(-1) !== 200) {
      const reply = await me.rest('GET', '/files?datasetId=docs');
      if (reply.status === 503) headers = reply.headers;
      statuses.push(reply.status);
      await pause(20);
    }
    return { statuses, headers };
  }
});

it('in memory, a database that is killed ends the gateway with one line', async () => {
  const gateway = run('src/main.ts', [], { DATA_DIR: 'memory:', PORT: '0', LOG_LEVEL: 'silent' });
  await gateway.wrote(/\/v1\/query\n/);
  process.kill(await databaseOf(gateway), 'SIGKILL');
  expect(await gateway.ended).toMatchObject({
    code: 1,
    stderr:
      'DATA_DIR: the embedded database ended, and with it what it held in memory, by SIGKILL\n',
  });
});

async function databaseOf({ child }: Pick<GatewayProcess, 'child'>): Promise<number> {
  const [database, ...others] = await childrenOf(child.pid, DATABASE);
  if (database === undefined) throw new Error('it has none');
  expect(others).toEqual([]);
  return database;
}
