import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DatasetsDocument,
  type DatasetsQuery,
  type DatasetsQueryVariables,
  FilesDocument,
  type FilesQueryVariables,
} from '../../src/generated/graphql.ts';
import { type Client, type GraphqlReply, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { statementsOf } from '../support/statements.ts';

const CREATED = '2026-01-01T00:00:00.000Z';
const NEWEST = 'created desc';
const datasetId = 'docs';

let gateway: TestGateway;
let me: Client;
/** The file ids of `docs`, newest first, as REST lists them. */
let all: string[];

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway);
  // Two uploads: within one, all files are of the same moment and their ids decide.
  for (const letters of ['abcd', 'efg']) {
    const files = [...letters].map((letter) => [`${letter}.txt`, `Text of ${letter}.`]);
    await me.upload(datasetId, Object.fromEntries(files));
  }
  for (const dataset of ['a', 'b', 'c']) await me.upload(dataset, { 'one.txt': 'One.' });
  const { body } = await me.rest('GET', `/files?datasetId=${datasetId}`);
  all = body.files.map(({ fileId }: { fileId: string }) => fileId);
});
afterAll(() => gateway.close());

const UNKNOWN = '00000000-0000-0000-0000-000000000000';

describe('files', () => {
  it('are a hundred unless asked otherwise, newest first', async () => {
    const page = await readPage({});
    expect(page).toMatchObject({ ids: all, hasNextPage: false, hasPreviousPage: false });
    expect(all).toHaveLength(7);
  });

  it.each([1, 2, 3, 7])('are read forwards %i at a time, none twice', async (first) => {
    const read: string[] = [];
    let after: string | null = null;
    do {
      const page = await readPage({ first, after });
      expect(page.hasPreviousPage).toBe(after !== null);
      read.push(...page.ids);
      after = page.hasNextPage ? page.endCursor : null;
    } while (after);
    expect(read).toEqual(all);
  });

  it.each([1, 2, 3, 7])('are read backwards %i at a time, none twice', async (last) => {
    const read: string[] = [];
    let before: string | null = null;
    do {
      const page = await readPage({ last, before });
      expect(page.hasNextPage).toBe(before !== null);
      read.unshift(...page.ids);
      before = page.hasPreviousPage ? page.startCursor : null;
    } while (before);
    expect(read).toEqual(all);
  });

  it('between two cursors are read from either end', async () => {
    const after = await cursorOf(1);
    const before = await cursorOf(5);
    expect(await readPage({ after, before })).toMatchObject({ ids: all.slice(2, 5) });
    expect(await readPage({ after, before, first: 2 })).toMatchObject({
      ids: all.slice(2, 4),
      hasNextPage: true,
    });
    expect(await readPage({ after, before, last: 2 })).toMatchObject({
      ids: all.slice(3, 5),
      hasPreviousPage: true,
    });
  });

  it('have no cursors on a page of none', async () => {
    expect(await readPage({ after: await cursorOf(6) })).toEqual({
      ids: [],
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null,
    });
  });

  it('are none on a page of none, which tells of the list all the same', async () => {
    const { data } = await me.graphql(
      `{ all: files(datasetId: "${datasetId}", first: 0) { ...Page }
         past: files(datasetId: "${datasetId}", first: 0, after: "${await cursorOf(6)}") { ...Page }
         ends: files(datasetId: "${datasetId}", last: 0) { ...Page } }
       fragment Page on FileConnection {
         totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } }`,
    );
    const page = { totalCount: 7, nodes: [] };
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, endCursor: null };
    expect(data).toEqual({
      all: { ...page, pageInfo: { ...pageInfo, hasNextPage: true } },
      past: { ...page, pageInfo: { ...pageInfo, hasPreviousPage: true } },
      ends: { ...page, pageInfo: { ...pageInfo, hasPreviousPage: true } },
    });
  });

  it('go on where they were, whatever was deleted or uploaded meanwhile', async () => {
    const { ids, endCursor } = await readPage({ first: 3 });
    const late = await me.upload(datasetId, { 'late.txt': 'Late.' });
    await me.rest('DELETE', `/files/${ids[2]}?datasetId=${datasetId}`);
    const rest = await readPage({ after: endCursor });
    expect(rest.ids).toEqual(all.slice(3));
    await me.rest('DELETE', `/files/${late.body.files[0].fileId}?datasetId=${datasetId}`);
    all = all.filter((id) => id !== ids[2]);
  });

  it('have edges that are their nodes, with the cursors of the page', async () => {
    const { data } = await me.graphql(
      `{ files(datasetId: "${datasetId}", first: 2) {
        nodes { id } edges { cursor node { id } } pageInfo { startCursor endCursor } } }`,
    );
    const { nodes, edges, pageInfo } = data.files;
    expect(edges.map(({ node }: { node: unknown }) => node)).toEqual(nodes);
    expect(edges.map(({ cursor }: { cursor: unknown }) => cursor)).toEqual([
      pageInfo.startCursor,
      pageInfo.endCursor,
    ]);
  });

  it('are counted only when it is asked', async () => {
    const files = `files(datasetId: "${datasetId}", first: 1)`;
    const uncounted = await statementsOf(() => me.graphql(`{ ${files} { nodes { id } } }`));
    const counted = await statementsOf(() => me.graphql(`{ ${files} { totalCount } }`));
    const counts = (statements: string[]) => statements.filter((sql) => /count\(/i.test(sql));
    expect(counts(uncounted)).toEqual([]);
    expect(counts(counted)).toHaveLength(1);
  });

  it.each<[FilesQueryVariables, string]>([
    [{ first: 1001 }, 'first must be between 0 and 1000'],
    [{ last: -1 }, 'last must be between 0 and 1000'],
    [{ first: 1, last: 1 }, 'first and last cannot be given together'],
    [{ after: 'a walrus' }, 'cursor is not one that a list has given'],
    [{ before: '' }, 'cursor is not one that a list has given'],
    [
      { after: cursor(NEWEST, '2026-02-31T00:00:00.000Z', UNKNOWN) },
      'cursor is not one that a list has given',
    ],
    [
      { before: cursor(NEWEST, '+010000-01-01T00:00:00.000Z', UNKNOWN) },
      'cursor is not one that a list has given',
    ],
    [{ after: cursor(NEWEST, CREATED, '-'.repeat(36)) }, 'cursor is not one that a list has given'],
    [{ after: cursor(NEWEST, CREATED, UNKNOWN, '') }, 'cursor is not one that a list has given'],
    [{ after: cursor(CREATED, UNKNOWN) }, 'cursor is not one that a list has given'],
    [{ after: cursor('size desc', '1.5', UNKNOWN) }, 'cursor is not one that a list has given'],
    [{ after: cursor('size asc', '1', UNKNOWN) }, 'cursor is of a list in another order'],
    [{ after: cursor('docs') }, 'cursor is not one that a list has given'],
  ])('are refused for %o', async (page, reason) => {
    const { errors } = await me.graphql(FilesDocument, { datasetId, ...page });
    expect(errors).toMatchObject([
      { message: reason, path: ['files'], extensions: { code: 'INVALID_INPUT', reason } },
    ]);
  });
});

describe('datasets', () => {
  it.each([1, 2, 4])('are read forwards %i at a time, by id', async (first) => {
    const read: string[] = [];
    let after: string | null = null;
    do {
      const page: GraphqlReply<DatasetsQuery> = await me.graphql(DatasetsDocument, {
        first,
        after,
      });
      const { datasets } = page.data;
      if (!datasets) throw new Error('no page');
      read.push(...datasets.nodes.map(({ datasetId: id }) => id));
      after = datasets.pageInfo.hasNextPage ? datasets.pageInfo.endCursor : null;
    } while (after);
    expect(read).toEqual(['a', 'b', 'c', 'docs']);
  });

  it.each([1, 2, 4])('are read backwards %i at a time, none twice', async (last) => {
    const read: string[] = [];
    let before: string | null = null;
    do {
      const page: GraphqlReply<DatasetsQuery> = await me.graphql(DatasetsDocument, {
        last,
        before,
      });
      const { datasets } = page.data;
      if (!datasets) throw new Error('no page');
      const { nodes, pageInfo } = datasets;
      expect(pageInfo.hasNextPage).toBe(before !== null);
      read.unshift(...nodes.map(({ datasetId: id }) => id));
      before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    } while (before);
    expect(read).toEqual(['a', 'b', 'c', 'docs']);
  });

  it.each<[DatasetsQueryVariables, string]>([
    [{ first: -1 }, 'first must be between 0 and 1000'],
    [{ last: 1001 }, 'last must be between 0 and 1000'],
    [{ first: 1, last: 1 }, 'first and last cannot be given together'],
    [{ after: 'docs' }, 'cursor is not one that a list has given'],
    [{ after: cursor('a\0b') }, 'cursor is not one that a list has given'],
    [{ after: cursor(CREATED, UNKNOWN) }, 'cursor is not one that a list has given'],
  ])('are refused for %o', async (page, reason) => {
    const { errors } = await me.graphql(DatasetsDocument, page);
    expect(errors).toMatchObject([{ message: reason, extensions: { code: 'INVALID_INPUT' } }]);
  });
});

/** A cursor with these values. */
function cursor(...values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

async function readPage(page: FilesQueryVariables) {
  const { data, errors } = await me.graphql(FilesDocument, { datasetId, ...page });
  expect(errors).toEqual([]);
  if (!data.files) throw new Error('no page');
  const { nodes, pageInfo } = data.files;
  return { ids: nodes.map(({ fileId }) => fileId), ...pageInfo };
}

async function cursorOf(position: number): Promise<string | null> {
  return (await readPage({ first: position + 1 })).endCursor;
}
