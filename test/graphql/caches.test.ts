import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import relay from 'relay-runtime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { compileRelay } from '../support/compile-relay.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

/* The payload of a deletion is enough for the caches of clients to follow. */

let gateway: TestGateway;
let me: Client & { apiKey: string };
/** The id of `b.txt` in `docs`, beside `a.txt`. */
let fileId: string;

beforeAll(async () => {
  gateway = await shareGateway();
});
beforeEach(async () => {
  me = await newCustomer(gateway);
  await me.upload('docs', { 'a.txt': 'Apples.' });
  const { body } = await me.upload('docs', { 'b.txt': 'Bananas.' });
  fileId = body.files[0].fileId;
});
afterAll(() => gateway.close());

const LIST = gql`
  query List {
    datasets(first: 1) {
      nodes {
        id
        fileCount
        files(first: 10) {
          nodes {
            id
            originalName
          }
        }
      }
    }
  }
`;
const DELETE = gql`
  mutation Delete($input: DeleteFileInput!) {
    deleteFile(input: $input) {
      deletedFileId
      dataset {
        id
        fileCount
      }
    }
  }
`;

interface ListData {
  datasets: { nodes: { fileCount: number; files: { nodes: { originalName: string }[] } }[] };
}

it('Apollo: cache.evict of `deletedFileId` takes the file from every list', async () => {
  const cache = new InMemoryCache();
  const link = new HttpLink({
    uri: 'http://filequery.test/graphql',
    headers: { authorization: `Bearer ${me.apiKey}` },
    fetch: async (uri, init) => gateway.fetch(new Request(uri, init)),
  });
  const client = new ApolloClient({ cache, link });
  await client.query({ query: LIST });
  const listed = () => {
    const [dataset] = cache.readQuery<ListData>({ query: LIST })?.datasets.nodes ?? [];
    const names = dataset?.files.nodes.map(({ originalName }) => originalName);
    return { fileCount: dataset?.fileCount, names };
  };
  expect(listed()).toEqual({ fileCount: 2, names: ['b.txt', 'a.txt'] });
  await client.mutate<{ deleteFile: { deletedFileId: string } }>({
    mutation: DELETE,
    variables: { input: { datasetId: 'docs', fileId } },
    update(updated, { data }) {
      const id = updated.identify({ __typename: 'File', id: data?.deleteFile.deletedFileId ?? '' });
      expect(updated.evict(id === undefined ? {} : { id })).toBe(true);
      updated.gc();
    },
  });
  expect(listed()).toEqual({ fileCount: 1, names: ['a.txt'] });
  client.stop();
});

const RELAY = `
  query appListQuery { ...app_files }

  fragment app_files on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "appPageQuery") {
    files(datasetId: "docs", first: $count, after: $cursor)
    @connection(key: "app_files") {
      edges { node { id originalName } }
    }
  }

  mutation appDeleteMutation($input: DeleteFileInput!, $connections: [ID!]!) {
    deleteFile(input: $input) {
      deletedFileId @deleteEdge(connections: $connections)
      dataset { id fileCount }
    }
  }
`;

it('Relay: @deleteEdge of `deletedFileId` takes the file from the connection', async () => {
  const { appListQuery, appDeleteMutation } = await compileRelay(RELAY, [
    'appListQuery',
    'appDeleteMutation',
  ]);
  const { ConnectionHandler, Environment, Network, RecordSource, Store } = relay;
  const environment = new Environment({
    network: Network.create(async ({ text }, variables) => {
      const response = await me.raw('POST', '/graphql', { query: text, variables });
      return response.json();
    }),
    store: new Store(new RecordSource()),
  });
  await relay.fetchQuery(environment, appListQuery, {}).toPromise();
  let connection = '';
  const listed = () => {
    let names: unknown[] = [];
    relay.commitLocalUpdate(environment, (store) => {
      const files = ConnectionHandler.getConnection(store.getRoot(), 'app_files', {
        datasetId: 'docs',
      });
      connection = files?.getDataID() ?? '';
      const edges = files?.getLinkedRecords('edges') ?? [];
      names = edges.map((edge) => edge?.getLinkedRecord('node')?.getValue('originalName'));
    });
    return names;
  };
  expect(listed()).toEqual(['b.txt', 'a.txt']);
  await new Promise((onCompleted, onError) => {
    relay.commitMutation(environment, {
      mutation: appDeleteMutation,
      variables: { input: { datasetId: 'docs', fileId }, connections: [connection] },
      onCompleted,
      onError,
    });
  });
  expect(listed()).toEqual(['a.txt']);
});
