import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypes from 'openapi-typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/http/listen.ts';
import { newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { runIn } from '../support/process.ts';

/*
 * What a program does that generates its types from /v1/openapi.json. By version 6 of the generator:
 * later ones need an interface of TypeScript 5 that TypeScript 7 does not have.
 */

let gateway: TestGateway;
let server: Listening;
let apiKey: string;
let folder: string;

beforeAll(async () => {
  gateway = await shareGateway();
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  ({ apiKey } = await newCustomer(gateway));
  folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const document = await (await fetch(new URL('/v1/openapi.json', server.url))).json();
  await writeFile(join(folder, 'api.d.ts'), await openapiTypes(document));
  await writeFile(join(folder, 'program.mts'), PROGRAM);
});
afterAll(async () => {
  await server.stop();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + key } });

const file = new Blob(['The fox is quick.']);
const uploaded = await client.POST('/v1/files/upload', {
  params: { query: { datasetId: 'docs' } },
  body: { file: [] },
  bodySerializer() {
    const form = new FormData();
    form.append('file', file, 'fox.txt');
    return form;
  },
});
const fileId: string = uploaded.data?.files[0]?.fileId ?? '';
const answered = await client.POST('/v1/query', {
  body: { datasetId: 'docs', question: 'Is the fox quick?', stream: false },
});
const data = answered.data && 'data' in answered.data ? answered.data.data : undefined;
const found = await client.POST('/v1/search', {
  body: { datasetId: 'docs', question: 'fox', filters: [{ key: 'fileId', match: { value: fileId } }] },
});
const score: number | undefined = found.data?.data[0]?.score;
const read = await client.GET('/v1/files/{fileId}', {
  params: { path: { fileId }, query: { datasetId: 'docs' } },
});
const url: string | undefined = read.data?.file.permanentUrl;
const refused = await client.POST('/v1/search', { body: { question: 'fox' } });
const error: string | undefined = refused.error?.error;
// @ts-expect-error: a mistake that the types find
await client.POST('/v1/search', { body: { query: 'fox' } });
console.log(JSON.stringify({ result: data?.result, score: typeof score, url: typeof url, error }));
`;

it('types a program, which then works', async () => {
  const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
  const options = '--strict --skipLibCheck --noEmit --allowImportingTsExtensions';
  const target = '--module nodenext --target esnext --types node program.mts';
  const checked = await runIn(folder, tsc, [...options.split(' '), ...target.split(' ')]).ended;
  expect(checked).toMatchObject({ code: 0, stdout: '' });
  const program = runIn(folder, process.execPath, ['program.mts', server.url, apiKey]);
  const { code, stdout, stderr } = await program.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    result: expect.stringContaining('quick'),
    score: 'number',
    url: 'string',
    error: 'datasetId and question are required',
  });
});
