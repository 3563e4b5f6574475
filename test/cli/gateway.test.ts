import { afterAll, beforeAll, expect, it } from 'vitest';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { createClient } from '../support/client.ts';
import { createFilequery, type Filequery } from '../support/filequery.ts';
import { type GatewayProcess, newDataFolder, run, startProcess } from '../support/process.ts';

/* What the command line does is seen by the gateway that runs on the same folder. */

let folder: Awaited<ReturnType<typeof newDataFolder>>;
let gateway: GatewayProcess;
let filequery: Filequery;
let apiKey: string;

beforeAll(async () => {
  folder = await newDataFolder();
  gateway = await startProcess(folder.dataDir);
  filequery = createFilequery(folder.dataDir);
  const made = await filequery.json('customer', 'create', '--name', 'ACME', '--credits', '5');
  apiKey = made.apiKey;
});
afterAll(async () => {
  gateway.child.kill('SIGKILL');
  await gateway.ended;
  await folder.remove();
});

it('a customer can call as soon as it is made', async () => {
  const { body } = await createClient(gateway, apiKey).upload('docs', { 'a.txt': 'Apples.' });
  expect(body).toMatchObject({ success: true });
});

it('granted credits can be spent at once, and what is spent is shown', async () => {
  await filequery.json('credits', 'grant', 'ACME', '2');
  const { data } = await createClient(gateway, apiKey).graphql(ViewerDocument);
  expect(data.viewer).toMatchObject({ customerName: 'ACME', credits: '6' });
  const { entries } = await filequery.json('credits', 'show', 'ACME');
  expect(entries).toMatchObject([
    { amount: '2', reason: 'grant' },
    { amount: '-1', reason: 'upload', reference: expect.any(String) },
    { amount: '5', reason: 'grant' },
  ]);
});

it('a token is taken by the gateway', async () => {
  const { token } = await filequery.json('token', 'create', 'ACME', '--dataset', 'docs');
  const { body } = await createClient(gateway, token).rest('GET', '/files');
  expect(body.files).toMatchObject([{ originalName: 'a.txt' }]);
});

it('a revoked key that nobody used is refused at once, a used one at the latest after a restart', async () => {
  const [used, unused] = [
    await filequery.json('key', 'create', 'ACME'),
    await filequery.json('key', 'create', 'ACME'),
  ];
  expect(await statusOf(used.apiKey)).toBe(200);
  for (const { prefix } of [used, unused]) await filequery.json('key', 'revoke', prefix);
  expect(await statusOf(unused.apiKey)).toBe(401);
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  gateway = await startProcess(folder.dataDir, {}, ['src/cli/main.ts', 'serve']);
  expect(await statusOf(used.apiKey)).toBe(401);
  expect(await statusOf(apiKey)).toBe(200);
});

it('serve runs a gateway, one for a folder, until SIGTERM', async () => {
  expect(await (await fetch(`${gateway.url}/health`)).json()).toMatchObject({ status: 'ok' });
  const settings = { DATA_DIR: folder.dataDir, PORT: '0' };
  const { code, stderr } = await run('src/cli/main.ts', ['serve'], settings).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR: .* is in use by .*\n$/)]);
  gateway.child.kill('SIGTERM');
  expect((await gateway.ended).code).toBe(0);
});

async function statusOf(credential: string): Promise<number> {
  return (await createClient(gateway, credential).rest('GET', '/files?datasetId=docs')).status;
}
