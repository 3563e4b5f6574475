import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinCluster, onWorkers } from '../support/citus.ts';
import {
  newServerDatabase,
  SERVER_URL,
  type TestDatabase,
  WORKER_URLS,
} from '../support/databases.ts';
import { createFilequery, type Filequery } from '../support/filequery.ts';
import { newDataFolder } from '../support/process.ts';

it.each([
  ['an embedded database', '4', /^DATABASE_URL: it must lead to a Citus cluster\n$/],
  ['too few shards', '0', /'0' is invalid\. It must be between 1 and 1024\./],
])('%s is refused', async (_, shards, told) => {
  const { dataDir, remove } = await newDataFolder();
  const { code, stderr } = await createFilequery(dataDir).run('shard', '--shards', shards);
  expect([code, stderr]).toEqual([1, expect.stringMatching(told)]);
  await remove();
});

describe.skipIf(!SERVER_URL)('a database of a server', () => {
  let database: TestDatabase & { name: string };
  let filequery: Filequery;

  beforeAll(async () => {
    database = await newServerDatabase(SERVER_URL ?? '');
    filequery = createFilequery('', database.settings);
  });
  afterAll(async () => {
    await database.remove();
    await onWorkers(`DROP DATABASE IF EXISTS ${database.name} WITH (FORCE)`);
  });

  it('is refused without Citus', async () => {
    const { code, stderr } = await filequery.run('shard');
    expect([code, stderr]).toEqual([1, expect.stringContaining('CREATE EXTENSION citus')]);
  });

  it.runIf(WORKER_URLS.length > 0)(
    'is distributed with what it has',
    async () => {
      await filequery.json('customer', 'create', '--name', 'ACME', '--credits', '5');
      await joinCluster(SERVER_URL ?? '', database.name);
      const first = await filequery.run('shard', '--shards', '4', '--json');
      expect(first).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('distributing chunk\n'),
      });
      expect(JSON.parse(first.stdout)).toMatchObject({ copied: ['customer', 'api_key'] });
      expect(await filequery.told('shard')).toMatch(/^all 14 tables were distributed already\n$/);
      const shown = await filequery.json('credits', 'show', 'ACME');
      expect(shown).toMatchObject({ credits: '5', entries: [{ amount: '5' }] });
    },
    60_000,
  );
});
