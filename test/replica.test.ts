import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { type App, createApp } from '../src/runtime/create-app.ts';
import { createLog } from '../src/runtime/log.ts';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { createDataset, type TestDataset } from './support/dataset.ts';
import { extractor } from './support/extractor.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

/*
 * Lists and searches on a streaming replica. It needs a primary (TEST_DATABASE_URL) and its replica
 * (TEST_REPLICA_URL), with a user who may pause the replay.
 */

const REPLICA_URL = process.env['TEST_REPLICA_URL'];

/** Writes, on the primary alone. */
let writer: TestGateway;
/** Reads, with the replica. */
let reader: App;
let replica: Pool;

describe.skipIf(!REPLICA_URL)('a gateway with a replica', () => {
  beforeAll(async () => {
    writer = await startGateway();
    replica = new Pool({ connectionString: onReplica(), max: 1 });
    // The end of its database.
    replica.on('error', () => {});
    await vi.waitFor(() => replica.query('SELECT FROM dataset'));
    reader = await start(onReplica());
  });
  afterAll(async () => {
    await replay('resume');
    await reader.close();
    await replica.end();
    await writer.close();
  });

  it('lists and searches on the replica', async () => {
    const { written, read } = await newDataset();
    await written.upload('one', 'two');
    await caughtUp();
    // The lock would reach the replica, too.
    await replay('pause');
    await locked('file, chunk, chunk_index, pending_file');
    expect(await read.listed()).toEqual(['one', 'two']);
    expect(await read.found()).toEqual(['one', 'two']);
  });

  it('never shows what is gone, nor lacks what was added, however far the replica is behind', async () => {
    const { written, read } = await newDataset();
    const [one] = await written.upload('one', 'two');
    await caughtUp();
    await replay('pause');
    await written.remove(one);
    expect(await read.listed()).toEqual(['two']);
    expect(await read.found()).toEqual(['two']);
    await written.upload('three');
    expect(await read.listed()).toEqual(['three', 'two']);
    expect(await read.found()).toEqual(['three', 'two']);
    await written.purge();
    expect(await read.listed()).toEqual([]);
    expect(await read.found()).toEqual([]);
  });

  it('shows the current state after each of many changes, while the replay stops and goes', async () => {
    const { written, read } = await newDataset();
    const files = new Map<string, Awaited<ReturnType<TestDataset['upload']>>[0]>();
    for (let step = 0; step < 24; step++) {
      if (step % 3 === 0) await replay(step % 2 === 0 ? 'pause' : 'resume');
      const [oldest] = files;
      if (oldest && step % 4 === 3) {
        await written.remove(oldest[1]);
        files.delete(oldest[0]);
      } else {
        const [file] = await written.upload(`file${step}`);
        files.set(`file${step}`, file);
      }
      const expected = [...files.keys()].sort();
      expect(await Promise.all([read.listed(), read.found()])).toEqual([expected, expected]);
    }
  });

  it('reads from the primary while the replica cannot be used', async () => {
    const unreachable = 'postgres://postgres@127.0.0.1:1/postgres';
    // The primary is no replica.
    for (const url of [unreachable, String(writer.connection.connectionString)]) {
      const gateway = await start(url);
      onTestFinished(() => gateway.close());
      const { written, read } = await newDataset(gateway);
      await written.upload('one');
      expect(await read.listed()).toEqual(['one']);
      expect(await read.found()).toEqual(['one']);
    }
  });
});

async function newDataset(
  gateway: Pick<App, 'fetch'> = reader,
): Promise<{ written: TestDataset; read: TestDataset }> {
  const { apiKey } = await newCustomer(writer);
  const dataset = (client: Client) => createDataset(client, 'animals');
  return {
    written: dataset(createClient(writer, apiKey)),
    read: dataset(createClient(gateway, apiKey)),
  };
}

function start(readUrl: string): Promise<App> {
  const config = readConfig({ ...writer.settings, DATABASE_READ_URL: readUrl });
  return createApp(config, createLog('silent'), (deps) => ({ ...deps, extractor }));
}

/** The URL of the writer's database on the replica. */
function onReplica(): string {
  const url = new URL(String(REPLICA_URL));
  url.pathname = new URL(String(writer.connection.connectionString)).pathname;
  return url.href;
}

async function replay(how: 'pause' | 'resume'): Promise<void> {
  await replica.query(`SELECT pg_wal_replay_${how}()`);
  const state = how === 'pause' ? 'paused' : 'not paused';
  await vi.waitFor(async () => {
    const { rows } = await replica.query('SELECT pg_get_wal_replay_pause_state() AS state');
    expect(rows[0].state).toBe(state);
  });
}

async function caughtUp(): Promise<void> {
  await replay('resume');
  const { rows } = await onPrimary((pool) => pool.query('SELECT pg_current_wal_lsn() AS lsn'));
  await vi.waitFor(async () => {
    const sql = `SELECT pg_last_wal_replay_lsn() >= '${rows[0].lsn}' AS done`;
    expect((await replica.query(sql)).rows[0].done).toBe(true);
  });
}

/** Locks tables of the primary until the end of the test. */
async function locked(tables: string): Promise<void> {
  const pool = new Pool({ ...writer.connection, max: 1 });
  await pool.query(`BEGIN; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  onTestFinished(() => pool.end());
}

async function onPrimary<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ ...writer.connection, max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
