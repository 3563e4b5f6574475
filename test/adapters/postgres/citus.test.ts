import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DatasetsDocument,
  FileChunksDocument,
  IngestionDocument,
  OverviewDocument,
  ViewerDocument,
} from '../../../src/generated/graphql.ts';
import { createClient, newCustomer } from '../../support/client.ts';
import { WORKER_URLS } from '../../support/databases.ts';
import { startBeside, startGateway, type TestGateway } from '../../support/gateway.ts';
import { startUpload } from '../../support/graphql.ts';
import { graphqlTransport } from '../../support/graphql-transport.ts';
import { restTransport } from '../../support/rest-transport.ts';
import { type RecordedStatement, recordStatements } from '../../support/statements.ts';
import { resultOf, type Transport } from '../../support/transport.ts';

/* Needs a Citus cluster: TEST_DATABASE_URL is its coordinator, TEST_CITUS_WORKERS has its workers. */

/** The sweeper and workers look for what is due, and too old, in the data of all customers. */
const IN_BACKGROUND =
  /GROUP BY customer_key|^\s*DELETE FROM \w+\s+WHERE (created|expires|finished) <|AS incomplete/;
const TEXT = Array.from({ length: 2500 }, (_, at) => `The note ${at} is about apples.`).join(
  '\n\n',
);

describe.skipIf(WORKER_URLS.length === 0)('every statement of a request goes to one shard', () => {
  let gateway: TestGateway;
  let withoutMemory: TestGateway;
  let pool: Pool;

  beforeAll(async () => {
    gateway = await startGateway();
    withoutMemory = await startBeside({ SEARCH_MEMORY: '0' });
    pool = new Pool({ ...gateway.connection, max: 1 });
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await withoutMemory.close();
    await gateway.close();
  });

  it.each([
    ['REST', restTransport],
    ['GraphQL', graphqlTransport],
  ])(
    'over %s',
    async (_, transport) => {
      const statements = await recordStatements(() => doEverything(gateway, transport));
      expect(await severalShards(statements)).toEqual([]);
      expect(new Set(statements.map(({ text }) => text)).size).toBeGreaterThan(40);
    },
    60_000,
  );

  it('when the database compares the codes', async () => {
    const statements = await recordStatements(() => searchEverything(withoutMemory));
    expect(await severalShards(statements)).toEqual([]);
    expect(statements.map(({ text }) => text)).toContainEqual(expect.stringContaining('<~>'));
  }, 60_000);

  it('when files are followed and read', async () => {
    const statements = await recordStatements(() => readEverything(gateway));
    expect(await severalShards(statements)).toEqual([]);
  }, 60_000);

  /** The statements that the coordinator would send to several shards. */
  async function severalShards(statements: RecordedStatement[]): Promise<string[]> {
    const found: string[] = [];
    for (const { text, values } of new Map(statements.map((one) => [one.text, one])).values()) {
      if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(text) || IN_BACKGROUND.test(text))
        continue;
      const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      if (taskCounts(rows[0]?.['QUERY PLAN']).some((count) => count > 1)) found.push(text);
    }
    return found;
  }
});

/** The numbers of shards to which a plan and its parts send queries. */
function taskCounts(plan: unknown): number[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([name, value]) =>
    name === 'Task Count' ? [Number(value)] : taskCounts(value),
  );
}

/** Every operation that both doors have, of a customer who pays, and of a token with a budget. */
async function doEverything(gateway: TestGateway, transport: Transport): Promise<void> {
  const me = await newCustomer(gateway, '100');
  const files = { 'a.txt': 'Apples are red.', 'b.txt': 'Pears are green.' };
  const metadata = { 'a.txt': { team: 'a', year: 2024 }, 'b.txt': { team: 'b', year: 2025 } };
  const uploaded = resultOf(await transport.upload(me, { datasetId: 'docs', files, metadata }));
  const [first] = uploaded.files;
  if (!first) throw new Error('nothing was uploaded');
  const made = resultOf(
    await transport.createToken(me, {
      datasetId: 'docs',
      maxCredits: '5',
      filters: [{ key: 'team', match: { value: 'a' } }],
    }),
  );
  const token = createClient(gateway, made.token);
  for (const caller of [me, token]) {
    const { fileId } = first;
    const datasetId = 'docs';
    resultOf(await transport.list(caller, { datasetId }));
    resultOf(await transport.page(caller, { datasetId, limit: 1 }));
    resultOf(await transport.get(caller, { datasetId, fileId }));
    for (const mode of ['vector', 'keyword', 'hybrid']) {
      resultOf(await transport.search(caller, { datasetId, question: 'apples', mode }));
    }
    resultOf(await transport.answer(caller, { datasetId, question: 'What is red?' }));
    resultOf(await transport.stream(caller, { datasetId, question: 'What is red?' }));
  }
  const filters = [
    [{ key: 'team', match: { value: 'a' } }],
    [{ key: 'team', match: { any: ['a', 'b'] } }],
    [
      { key: 'team', match: { any: ['a', 'b'] } },
      { key: 'year', match: { value: 2024 } },
    ],
  ];
  for (const one of filters) {
    for (const mode of ['vector', 'hybrid']) {
      const search = { datasetId: 'docs', question: 'apples', mode, filters: one };
      resultOf(await transport.search(me, search as Parameters<Transport['search']>[1]));
    }
  }
  for (const onDuplicate of ['SKIP', 'REPLACE']) {
    const { status } = await me.upload('docs', files, { onDuplicate, idempotencyKey: onDuplicate });
    if (status !== 200) throw new Error(`${onDuplicate}: ${status}`);
  }
  // Refused, and refunded.
  await transport.upload(me, { datasetId: 'docs', files: { 'c.pdf': 'broken' } });
  resultOf(await transport.revokeToken(me, '3f0c8d0e-6f5c-4b67-9a3e-1c2d3e4f5a6b'));
  const [left] = resultOf(await transport.list(me, { datasetId: 'docs' }));
  resultOf(await transport.remove(me, { datasetId: 'docs', fileId: left?.fileId ?? '' }));
  resultOf(await transport.purgeDataset(me, 'docs'));
  resultOf(await transport.purgeCustomer(me));
}

/** Searches of a dataset that is large enough for codes. */
async function searchEverything(gateway: TestGateway): Promise<void> {
  const me = await newCustomer(gateway);
  await me.upload('large', { 'notes.txt': TEXT }, { chunkSize: 10, chunkOverlap: 0 });
  for (const mode of ['vector', 'keyword', 'hybrid']) {
    for (const filters of [undefined, [{ key: 'originalName', match: { value: 'notes.txt' } }]]) {
      const search = { datasetId: 'large', question: 'the note 77 about apples', mode };
      resultOf(await restTransport.search(me, { ...search, ...(filters && { filters }) }));
    }
  }
}

/** What GraphQL has beside that: edges, chunks, the caller, and asynchronous uploads. */
async function readEverything(gateway: TestGateway): Promise<void> {
  const me = await newCustomer(gateway, '100');
  const { body } = await me.upload('docs', { 'a.txt': 'Apples are red.' });
  const { fileId } = body.files[0];
  await me.graphql(ViewerDocument);
  await me.graphql(OverviewDocument, { first: 5, newest: 2 });
  await me.graphql(DatasetsDocument, { first: 5 });
  await me.graphql(FileChunksDocument, { datasetId: 'docs', fileId, first: 2 });
  for (const [status, text] of Object.entries({ COMPLETED: 'Pears.', FAILED: ' ' })) {
    const { data } = await startUpload(me, 'docs', { 'b.txt': text }, { idempotencyKey: status });
    const { ingestionId } = data.startUpload.ingestion;
    const look = async () => (await me.graphql(IngestionDocument, { ingestionId })).data.ingestion;
    await expect.poll(look, { timeout: 10_000 }).toMatchObject({ status });
  }
}
