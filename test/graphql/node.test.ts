import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatasetsDocument, FilesDocument, NodeDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let me: Client;
let other: Client;
let token: Client;
/** Global ids of mine; the token speaks for `docs` only. */
let ids: Record<'file' | 'fileElsewhere' | 'dataset' | 'datasetElsewhere', string>;

beforeAll(async () => {
  gateway = await shareGateway();
  const customer = await newCustomer(gateway);
  me = customer;
  other = await newCustomer(gateway);
  await me.upload('docs', { 'a.txt': 'Apples.' });
  await me.upload('elsewhere: a place', { 'b.txt': 'Bananas.' });
  const created = await gateway.admin.createToken(customer.customerId, 'docs');
  token = createClient(gateway, created.token);
  const { data } = await me.graphql(DatasetsDocument, { first: 10 });
  const [dataset, datasetElsewhere] = data.datasets?.nodes.map(({ id }) => id) ?? [];
  ids = {
    file: await onlyFileOf('docs'),
    fileElsewhere: await onlyFileOf('elsewhere: a place'),
    dataset: dataset ?? '',
    datasetElsewhere: datasetElsewhere ?? '',
  };
});
afterAll(() => gateway.close());

describe('a global id', () => {
  it.each(['file', 'fileElsewhere', 'dataset', 'datasetElsewhere'] as const)(
    'of a %s finds it',
    async (what) => {
      const { data, errors } = await me.graphql(NodeDocument, { id: ids[what] });
      expect(errors).toEqual([]);
      expect(data.node?.id).toBe(ids[what]);
    },
  );

  it('is opaque: it is not the raw id', async () => {
    const { data } = await me.graphql(FilesDocument, { datasetId: 'docs' });
    expect(data.files?.nodes[0]?.id).not.toContain(data.files?.nodes[0]?.fileId);
  });

  it('tells what kind of thing it is of', async () => {
    const { data } = await me.graphql(
      `{ a: node(id: "${ids.file}") { __typename } b: node(id: "${ids.dataset}") { __typename } }`,
    );
    expect(data).toEqual({ a: { __typename: 'File' }, b: { __typename: 'Dataset' } });
  });
});

describe('node is null, and no error,', () => {
  it.each(['file', 'fileElsewhere', 'dataset', 'datasetElsewhere'] as const)(
    "for another customer's %s",
    (what) => isNull(other, ids[what]),
  );

  it.each(['fileElsewhere', 'datasetElsewhere'] as const)('for a token and a %s', (what) =>
    isNull(token, ids[what]),
  );

  it.each([
    ['no base64', 'not an id!'],
    ['nothing', ''],
    ['no type', encode('abc')],
    ['a type that is none', encode('Walrus:1')],
    ['a type that is no node', encode('Viewer:1')],
    ['a file that is not there', encode('File:00000000-0000-0000-0000-000000000000:docs')],
    ['a file of no dataset', encode('File:00000000-0000-0000-0000-000000000000')],
    ['no file id', encode('File:etc/passwd:docs')],
    ['a dataset that is not there', encode('Dataset:nowhere')],
    ['a dataset id that is too long', encode(`Dataset:${'x'.repeat(101)}`)],
    ['a dataset id that no database holds', encode('Dataset:a\0b')],
  ])('for %s', (_, id) => isNull(me, id));
});

it('finds a file again after another one of its name was uploaded, and not after it was deleted', async () => {
  const { body } = await me.upload('docs', { 'a.txt': 'Apples again.' });
  expect((await me.graphql(NodeDocument, { id: ids.file })).data.node?.id).toBe(ids.file);
  const { fileId } = body.files[0];
  const { data } = await me.graphql(FilesDocument, { datasetId: 'docs' });
  const newest = data.files?.nodes[0];
  await me.rest('DELETE', `/files/${fileId}?datasetId=docs`);
  await isNull(me, newest?.id ?? '');
});

it('needs a credential, whatever the id', async () => {
  for (const id of [ids.file, ids.dataset, 'not an id!']) {
    const { data, errors } = await createClient(gateway).graphql(NodeDocument, { id });
    expect(data.node).toBeNull();
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['MISSING_CREDENTIAL']);
  }
});

async function isNull(client: Client, id: string): Promise<void> {
  const { body } = await client.graphql(NodeDocument, { id });
  expect(body).toEqual({ data: { node: null } });
}

async function onlyFileOf(datasetId: string): Promise<string> {
  const { data } = await me.graphql(FilesDocument, { datasetId });
  return data.files?.nodes[0]?.id ?? '';
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}
