import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, inject, it } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/embedded-postgres.ts';
import { ask, embeddedIn } from '../../support/databases.ts';
import { run, startProcess } from '../../support/process.ts';

/* What a first start makes, and what a start finds that was left by one that was killed. */

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(inject('folder'), 'first-start-'));
});

it('a folder without the mark of a whole database is made anew: tables, and no row but those of the migrations', async () => {
  await mkdir(join(dataDir, 'postgres/base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), 'half');
  const postgres = await startEmbeddedPostgres({ dataDir });
  const tables = await ask<{ name: string; rows: number }>(
    embeddedIn(dataDir),
    `SELECT relname AS name,
            (xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', relname), false, true, '')))[1]::text::int AS rows
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  await postgres.close();
  expect(tables.map(({ name }) => name)).toContain('chunk');
  const filled = tables.filter(({ rows }) => rows > 0);
  expect(filled.map(({ name }) => name)).toEqual(['_prisma_migrations']);
  expect(existsSync(join(dataDir, 'postgres.complete'))).toBe(true);
});

it('a first start that is killed is followed by one that is whole', async () => {
  const killed = run('src/main.ts', [], { DATA_DIR: dataDir, PORT: '0' });
  while (!existsSync(join(dataDir, 'postgres/base'))) await pause(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(join(dataDir, 'postgres.complete'))).toBe(false);
  const gateway = await startProcess(dataDir);
  const { status } = await gateway.fetch(new Request(`${gateway.url}/ready`));
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  expect(status).toBe(200);
});
