import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';

const HASH = 'ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38';
const DOCUMENT = 'query Name { viewer { customerName } }';
const ANSWER = { data: { viewer: { customerName: 'test' } } };
const OTHER = { query: '{ viewer { credential } }' };

let folder: string;
let gateways: Record<'with' | 'only', TestGateway>;
let clients: Record<'without' | 'with' | 'only', Client>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  const TRUSTED_DOCUMENTS = await keep('documents.json', { [HASH]: DOCUMENT });
  const shared = await shareGateway();
  gateways = {
    with: await startBeside({ TRUSTED_DOCUMENTS }),
    only: await startBeside({ TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: 'true' }),
  };
  clients = {
    without: await newCustomer(shared),
    with: await newCustomer(gateways.with),
    only: await newCustomer(gateways.only),
  };
});
afterAll(async () => {
  for (const gateway of Object.values(gateways)) await gateway.close();
  await rm(folder, { recursive: true });
});

describe.each(['with', 'only'] as const)('with trusted documents (%s)', (kind) => {
  it.each([
    ['documentId', { documentId: HASH }],
    ['documentId with the kind of hash', { documentId: `sha256:${HASH}` }],
    ['a persisted query', persisted(HASH)],
    ['a persisted query that is sent', { ...persisted(HASH), query: DOCUMENT }],
    ['its text', { query: DOCUMENT }],
  ])('a document is answered by %s', async (_, request) => {
    expect(await post(kind, request)).toEqual({ status: 200, body: ANSWER });
  });

  it.each([
    ['documentId', { documentId: HASH }],
    ['a persisted query', { extensions: JSON.stringify(persisted(HASH).extensions) }],
  ])('a document is answered by %s of a GET', async (_, parameters) => {
    const response = await clients[kind].raw('GET', `/graphql?${new URLSearchParams(parameters)}`);
    expect(await response.json()).toEqual(ANSWER);
  });

  it.each(['other', '__proto__', ''])('the hash "%s" is not found', async (hash) => {
    expect(await post(kind, persisted(hash))).toEqual(
      refusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND'),
    );
  });
});

it('other documents are answered, unless trusted ones alone are', async () => {
  const { status } = await post('with', OTHER);
  expect(status).toBe(200);
  expect(await post('only', OTHER)).toMatchObject({
    status: 403,
    body: { errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] },
  });
});

it('without trusted documents, a hash is not supported, and a document beside it is answered', async () => {
  expect(await post('without', persisted(HASH))).toEqual(
    refusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED'),
  );
  expect(await post('without', { ...persisted(HASH), query: DOCUMENT })).toEqual({
    status: 200,
    body: ANSWER,
  });
});

it.each([
  ['that is not there', undefined, 'cannot be read'],
  ['of another form', [DOCUMENT], 'must contain a JSON object'],
  ['with something else than a text', { [HASH]: { text: DOCUMENT } }, 'must be a string'],
  ['that does not fit the schema', { [HASH]: '{ viewer { no } }' }, 'does not fit the schema'],
])('a file %s stops the start', async (name, content, reason) => {
  const path = content === undefined ? join(folder, 'none') : await keep(`${name}.json`, content);
  const start = startBeside({ TRUSTED_DOCUMENTS: path });
  await expect(start).rejects.toThrow(new RegExp(`^TRUSTED_DOCUMENTS: .*${reason}`));
});

it('trusted documents alone need a file', () => {
  expect(() => readConfig({ TRUSTED_DOCUMENTS_ONLY: 'true' })).toThrow('TRUSTED_DOCUMENTS: must');
  expect(() => readConfig({ TRUSTED_DOCUMENTS_ONLY: 'yes' })).toThrow('must be true or false');
});

async function post(kind: keyof typeof clients, request: object) {
  const response = await clients[kind].raw('POST', '/graphql', request);
  return { status: response.status, body: await response.json() };
}

/** A request in the form of Apollo's persisted queries. */
function persisted(sha256Hash: string) {
  return { extensions: { persistedQuery: { version: 1, sha256Hash } } };
}

function refusal(message: string, code: string) {
  const extensions = { code, requestId: expect.any(String) };
  return { status: 400, body: { errors: [{ message, extensions }] } };
}

async function keep(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}
