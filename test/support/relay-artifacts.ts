import type {
  ConcreteRequest,
  NormalizationOperation,
  NormalizationSelection,
} from 'relay-runtime';

/* What Relay's compiler makes of two operations, as far as its store needs it. */

/** The connection `@connection(key: "docs_files")`. */
export const CONNECTION_KEY = 'docs_files';

const filesArgs = [
  { kind: 'Literal', name: 'datasetId', value: 'docs' },
  { kind: 'Literal', name: 'first', value: 10 },
] as const;

const page = [
  linked('edges', 'FileEdge', true, [
    linked('node', 'File', false, [scalar('id'), scalar('originalName'), scalar('__typename')]),
    scalar('cursor'),
  ]),
  linked('pageInfo', 'PageInfo', false, [scalar('hasNextPage'), scalar('endCursor')]),
];

/** `files(datasetId: "docs", first: 10) @connection(key: "docs_files")` */
export const listFiles = request(
  'query',
  'ListFiles',
  `query ListFiles { files(datasetId: "docs", first: 10) {
     edges { node { id originalName __typename } cursor } pageInfo { hasNextPage endCursor } } }`,
  [
    { ...linked('files', 'FileConnection', false, page), args: filesArgs },
    {
      alias: null,
      args: filesArgs,
      filters: ['datasetId'],
      handle: 'connection',
      key: CONNECTION_KEY,
      kind: 'LinkedHandle',
      name: 'files',
    },
  ],
);

/** `deleteFile(input: $input) { deletedFileId @deleteEdge(connections: $connections) ... }` */
export const deleteFile = request(
  'mutation',
  'DeleteFile',
  `mutation DeleteFile($input: DeleteFileInput!) { deleteFile(input: $input) {
     deletedFileId dataset { id fileCount __typename } } }`,
  [
    {
      ...linked('deleteFile', 'DeleteFilePayload', false, [
        scalar('deletedFileId'),
        {
          alias: null,
          args: null,
          filters: null,
          handle: 'deleteEdge',
          handleArgs: [{ kind: 'Variable', name: 'connections', variableName: 'connections' }],
          key: '',
          kind: 'ScalarHandle',
          name: 'deletedFileId',
        },
        linked('dataset', 'Dataset', false, [
          scalar('id'),
          scalar('fileCount'),
          scalar('__typename'),
        ]),
      ]),
      args: [{ kind: 'Variable', name: 'input', variableName: 'input' }],
    },
  ],
  ['input', 'connections'],
);

function scalar(name: string) {
  return { alias: null, args: null, kind: 'ScalarField', name, storageKey: null };
}

function linked(name: string, concreteType: string, plural: boolean, selections: unknown[]) {
  const field = { alias: null, args: null, kind: 'LinkedField', storageKey: null };
  return { ...field, name, concreteType, plural, selections };
}

function request(
  operationKind: 'query' | 'mutation',
  name: string,
  text: string,
  selections: unknown[],
  variables: string[] = [],
): ConcreteRequest {
  const argumentDefinitions = variables.map((variable) => ({
    defaultValue: null,
    kind: 'LocalArgument' as const,
    name: variable,
  }));
  const operation: NormalizationOperation = {
    argumentDefinitions,
    kind: 'Operation',
    name,
    selections: selections as NormalizationSelection[],
  };
  const type = operationKind === 'query' ? 'Query' : 'Mutation';
  return {
    // Nothing is read through fragments: the tests look into the store.
    fragment: { argumentDefinitions, kind: 'Fragment', name, selections: [], type, metadata: null },
    kind: 'Request',
    operation,
    params: { cacheID: name, id: null, metadata: {}, name, operationKind, text },
  };
}
