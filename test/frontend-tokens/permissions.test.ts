import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { type Operation, PERMISSIONS, type Permission, POLICY } from '../../src/core/policy.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { multipart, sendForm, startUpload, uploadOverGraphql } from '../support/graphql.ts';
import { graphqlTransport } from '../support/graphql-transport.ts';
import { endless, PIECE, send, streamed } from '../support/requests.ts';
import { restTransport } from '../support/rest-transport.ts';
import { type Outcome, resultOf, type Transport } from '../support/transport.ts';

/* What a token may do, on both doors, for every operation of the policy. */

const TRANSPORTS = [restTransport, graphqlTransport];
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const question = 'Is the fox quick?';

let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  await customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
});
afterAll(() => gateway.close());

async function tokenFor(...permissions: Permission[]): Promise<Client> {
  const wanted = { datasetId: 'docs', permissions };
  const { token } = resultOf(await restTransport.createToken(customer, wanted));
  return createClient(gateway, token);
}

/** What a token must allow for an operation, none, or that only an API key will do. */
type Needed = Permission | 'nothing' | 'an API key';

/** Does an operation, on one door. */
type Act = (transport: Transport, me: Client) => Promise<Outcome>;

/** An operation without a row is an error of types. */
const OPERATIONS: Record<Operation, { needed: Needed; acts: Act[] }> = {
  listFiles: { needed: 'READ', acts: [(transport, me) => transport.list(me, {})] },
  pageFiles: { needed: 'READ', acts: [(transport, me) => transport.page(me, { limit: 1 })] },
  getFile: { needed: 'READ', acts: [(transport, me) => transport.get(me, { fileId: UNKNOWN })] },
  // Only MCP has it: test/mcp/tools.test.ts.
  readFile: { needed: 'READ', acts: [] },
  signFiles: { needed: 'READ', acts: [urlOfUpload] },
  listDatasets: { needed: 'READ', acts: [onGraphql('{ datasets { nodes { fileCount } } }')] },
  pageFilesOfDatasets: {
    needed: 'READ',
    acts: [onGraphql('{ datasets { nodes { files { totalCount } } } }')],
  },
  pageChunks: {
    needed: 'READ',
    acts: [onGraphql('{ files { nodes { chunks { totalCount } } } }')],
  },
  datasetChanged: {
    needed: 'READ',
    acts: [(_, me) => firstEvent(me, 'datasetChanged(input: {}) { __typename }')],
  },
  startUpload: {
    needed: 'UPLOAD',
    acts: [async (_, me) => toOutcome(await startUpload(me, 'docs', { 'a.txt': 'A text.' }))],
  },
  ingestionChanged: {
    needed: 'UPLOAD',
    acts: [
      (_, me) =>
        firstEvent(me, `ingestionChanged(input: { ingestionId: "${UNKNOWN}" }) { status }`),
    ],
  },
  // Parts of what others return; see below.
  findDatasets: { needed: 'READ', acts: [] },
  findFiles: { needed: 'READ', acts: [] },
  getIngestion: { needed: 'UPLOAD', acts: [] },
  describeViewer: { needed: 'nothing', acts: [onGraphql('{ viewer { datasetId } }')] },
  deleteFile: {
    needed: 'DELETE',
    acts: [(transport, me) => transport.remove(me, { fileId: UNKNOWN })],
  },
  purgeDataset: { needed: 'DELETE', acts: [(transport, me) => transport.purgeDataset(me, 'docs')] },
  purgeCustomer: { needed: 'an API key', acts: [(transport, me) => transport.purgeCustomer(me)] },
  uploadFiles: {
    needed: 'UPLOAD',
    acts: [(transport, me) => transport.upload(me, { files: { 'hen.txt': 'The hen is slow.' } })],
  },
  search: { needed: 'ASK', acts: [(transport, me) => transport.search(me, { question })] },
  answerQuestion: {
    needed: 'ASK',
    acts: [
      (transport, me) => transport.answer(me, { question }),
      (transport, me) => transport.stream(me, { question }),
    ],
  },
  createToken: {
    needed: 'an API key',
    acts: [(transport, me) => transport.createToken(me, { datasetId: 'docs' })],
  },
  revokeToken: {
    needed: 'an API key',
    acts: [(transport, me) => transport.revokeToken(me, UNKNOWN)],
  },
};

describe.each(PERMISSIONS)('a token that allows %s', (permission) => {
  // A customer makes up to 100 tokens a minute: none for rows without an act.
  const rows = Object.entries(OPERATIONS).filter(([, { acts }]) => acts.length > 0);
  it.each(rows)('%s', async (_, { needed, acts }) => {
    const me = await tokenFor(permission);
    for (const transport of TRANSPORTS) {
      for (const act of acts) expect(refusalOf(await act(transport, me))).toBe(refusalFor(needed));
    }
  });

  function refusalFor(needed: Needed): string | undefined {
    if (needed === 'an API key') return '401 Missing API key';
    return needed === permission || needed === 'nothing' ? undefined : '403 Permission denied';
  }
});

it('the policy says the same as this test', () => {
  const needed = Object.entries(POLICY).map(([operation, policy]) => [
    operation,
    'permission' in policy ? (policy.permission ?? 'nothing') : 'an API key',
  ]);
  expect(Object.fromEntries(needed)).toEqual(
    Object.fromEntries(Object.entries(OPERATIONS).map(([name, row]) => [name, row.needed])),
  );
});

it('a token that allows several does each of them', async () => {
  const me = await tokenFor('UPLOAD', 'DELETE');
  const { files } = resultOf(await restTransport.upload(me, { files: { 'owl.txt': 'An owl.' } }));
  const fileId = files[0]?.fileId ?? '';
  expect(refusalOf(await restTransport.get(me, { fileId }))).toBe('403 Permission denied');
  resultOf(await restTransport.remove(me, { fileId }));
});

it.each<[Permission[], object | null]>([
  [['DELETE'], null],
  [['DELETE', 'READ'], { fileCount: 0 }],
])('a token that allows %j sees in a payload: dataset %j', async (permissions, dataset) => {
  const me = await tokenFor(...permissions);
  const { data, errors } = await me.graphql(
    'mutation { purgeDataset(input: { datasetId: "docs" }) { deleted dataset { fileCount } } }',
  );
  expect(errors).toEqual([]);
  expect(data.purgeDataset.dataset).toEqual(dataset);
});

it.each([
  ['SKIP', 'READ'],
  ['REPLACE', 'DELETE'],
] as const)(
  '403 for an upload with %s by a token that does not allow %s',
  async (onDuplicate, more) => {
    const files = { 'skipped.txt': 'A text.' };
    const upload = async (...permissions: Permission[]) =>
      (await (await tokenFor(...permissions)).upload(undefined, files, { onDuplicate })).status;
    expect([await upload('UPLOAD'), await upload('UPLOAD', more)]).toEqual([403, 200]);
  },
);

it.each([['permissions'], ['filters']])('an empty text is no %s', async (name) => {
  const wanted = { datasetId: 'docs', [name]: '' };
  const { status, body } = await customer.rest('POST', '/tokens/create', wanted);
  expect([status, body.error]).toEqual([400, expect.stringContaining(`${name} must be`)]);
});

it.each<[Permission[], number]>([
  [['UPLOAD', 'DELETE'], 0],
  [['UPLOAD', 'DELETE', 'READ'], 1],
])('an upload by a token that allows %j shows %i replaced files', async (permissions, count) => {
  const me = await tokenFor(...permissions);
  const name = `payroll-${count}.txt`;
  const metadata = JSON.stringify({ [name]: { note: 'confidential' } });
  const { body } = await customer.upload('docs', { [name]: 'Old.' }, { metadata });
  const id = Buffer.from(`File:${body.files[0].fileId}:docs`).toString('base64');
  const mutation = `mutation ($files: [Upload!]!) {
    uploadFiles(input: { files: $files, onDuplicate: REPLACE, idempotencyKey: "${name}" }) {
      replaced { id extraMeta } replacedFileIds
    }
  }`;
  const files = [{ name, content: 'New.', places: ['variables.files.0'] }];
  const upload = () => sendForm<object>(me, multipart(mutation, { files: [null] }, files));
  const { data, errors } = await upload();
  expect(errors).toEqual([]);
  const shown = [{ id, extraMeta: { note: 'confidential' } }].slice(0, count);
  expect(data).toEqual({ uploadFiles: { replaced: shown, replacedFileIds: [id] } });
  expect((await upload()).data).toEqual(data);
  const again = await me.upload(undefined, { [name]: 'Newer.' }, { onDuplicate: 'REPLACE' });
  expect(again.body.replaced).toHaveLength(count);
});

it('403 before the body of an upload is read', async () => {
  const me = await tokenFor('READ');
  const { body, taken } = endless();
  const response = await send(gateway, 'POST', '/v1/files/upload', {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    credential: me.credential,
    ...streamed(body),
  });
  expect(response.status).toBe(403);
  // What a stream reads ahead on its own.
  expect(taken()).toBeLessThanOrEqual(2 * PIECE);
});

describe('POST /v1/tokens/create', () => {
  const create = (body: object) => customer.rest('POST', '/tokens/create', body);

  test('200 with permissions, each once, which are claims of a token that older gateways refuse', async () => {
    const { body } = await create({ datasetId: 'docs', permissions: ['ASK', 'READ', 'ASK'] });
    expect(decodeJwt(body.token)).toMatchObject({ permissions: ['ASK', 'READ'] });
    expect(decodeProtectedHeader(body.token)).toMatchObject({ crit: ['limited'] });
  });

  test.each([[undefined], [null]])('200 with permissions %j: everything', async (permissions) => {
    const { body } = await create({ datasetId: 'docs', permissions });
    expect(decodeJwt(body.token)).not.toHaveProperty('permissions');
    expect(decodeProtectedHeader(body.token)).not.toHaveProperty('crit');
    const me = createClient(gateway, body.token);
    expect(refusalOf(await restTransport.purgeDataset(me, 'docs'))).toBeUndefined();
  });

  test.each([[[]], [['WRITE']], [['read']], ['READ'], [[null]], [{}]])(
    '400 with permissions %j',
    async (permissions) => {
      const { status, body } = await create({ datasetId: 'docs', permissions });
      expect([status, body.error]).toEqual([
        400,
        'permissions must be a list of at least one of READ, ASK, UPLOAD and DELETE',
      ]);
    },
  );
});

/** The refusal of an operation; that a file is not there is none. */
function refusalOf(outcome: Outcome): string | undefined {
  if ('result' in outcome || outcome.status === 404) return undefined;
  return `${outcome.status} ${outcome.error}`;
}

/** An operation that GraphQL alone has. */
function onGraphql(document: string): Act {
  return async (_, me) => toOutcome(await me.graphql(document));
}

/** The link of a file that was just uploaded: by a key where the token may not upload. */
async function urlOfUpload(transport: Transport, me: Client): Promise<Outcome> {
  const files = { 'link.txt': 'A text.' };
  const { data } = await uploadOverGraphql(customer, 'docs', files);
  return transport.get(me, { fileId: data.uploadFiles.files[0]?.fileId ?? '' });
}

function toOutcome({
  data,
  errors: [error],
}: Pick<Awaited<ReturnType<Client['graphql']>>, 'data' | 'errors'>): Outcome {
  if (!error) return { result: data };
  return {
    status: ERRORS[error.extensions['code'] as ErrorCode].status,
    code: error.extensions['code'],
    error: error.message,
    details: {},
  };
}

/** Subscribes, and hears the first event. */
async function firstEvent(me: Client, field: string): Promise<Outcome> {
  const query = `subscription { ${field} }`;
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const { body } = await me.raw('POST', '/graphql', { query }, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/^data: .+$/m.test(text)) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  const { data, errors = [] } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? '');
  return toOutcome({ data, errors });
}
