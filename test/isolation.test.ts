import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeDocument } from '../src/generated/graphql.ts';
import { aiSdkTransport, openaiTransport } from './support/chat-transports.ts';
import { createClient, newCustomer } from './support/client.ts';
import { clientTransport } from './support/client-transport.ts';
import { EFFORT } from './support/effort.ts';
import { shareGateway, type TestGateway } from './support/gateway.ts';
import { graphqlTransport } from './support/graphql-transport.ts';
import { mcpTransport } from './support/mcp-transport.ts';
import { restTransport } from './support/rest-transport.ts';
import type { Outcome, Transport } from './support/transport.ts';
import {
  createWorld,
  DATASETS,
  type DatasetName,
  type World,
  type WorldCaller,
} from './support/world.ts';

/* Nothing of a customer, and for a token nothing of another dataset, is ever shown to another. */

const TRANSPORTS = {
  rest: restTransport,
  graphql: graphqlTransport,
  openai: openaiTransport,
  aiSdk: aiSdkTransport,
  mcp: mcpTransport,
  client: clientTransport,
};
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterAll(() => gateway.close());

/** What a step is given: who calls, over which transport, naming which dataset and whose file. */
interface Step {
  world: World;
  transport: Transport;
  caller: WorldCaller;
  /** As the request names it. */
  named: DatasetName | undefined;
  /** The caller's, when the request is allowed. */
  datasetId: DatasetName;
  fileId: string;
  globalId: string;
}

/** Does an operation, and tells what should have come of it. */
type Operate = (step: Step) => Promise<{ outcome: Outcome; expected: object }>;

const OPERATIONS = {
  async upload({ world, transport, caller, named }) {
    const outcome = await world.upload(transport, caller, named);
    return { outcome, expected: { result: { files: [{ originalName: 'same.txt' }] } } };
  },
  async list({ world, transport, caller, named, datasetId }) {
    const outcome = await transport.list(caller.client, { datasetId: named });
    const files = 'result' in outcome ? { result: outcome.result.map(idOf).sort() } : outcome;
    return { outcome: files, expected: { result: world.visible(caller, datasetId) } };
  },
  async get({ world, transport, caller, named, datasetId, fileId }) {
    const outcome = await transport.get(caller.client, { datasetId: named, fileId });
    const isTheirs = world.visible(caller, datasetId).includes(fileId);
    return { outcome, expected: isTheirs ? { result: { fileId, datasetId } } : NOT_FOUND };
  },
  search: (step) => searchAll(step, 'vector'),
  searchWords: (step) => searchAll(step, 'keyword'),
  async searchFile({ world, transport, caller, named, datasetId, fileId }) {
    const outcome = await transport.search(caller.client, {
      datasetId: named,
      question: 'What is the word of this file?',
      filters: [{ key: 'fileId', match: { value: fileId } }],
      mode: 'hybrid',
    });
    const found = 'result' in outcome ? { result: outcome.result.map(fileOf) } : outcome;
    const theirs = world.visible(caller, datasetId).filter((visible) => visible === fileId);
    return { outcome: found, expected: { result: theirs } };
  },
  async answer({ world, transport, caller, named, datasetId }) {
    const question = 'What is the word of this file?';
    const outcome = await transport.answer(caller.client, { datasetId: named, question });
    const hits = Math.min(8, world.visible(caller, datasetId).length);
    return { outcome, expected: { result: { sources: Array(hits).fill({}) } } };
  },
  async remove({ world, transport, caller, named, datasetId, fileId }) {
    const isTheirs = world.visible(caller, datasetId).includes(fileId);
    const outcome = await transport.remove(caller.client, { datasetId: named, fileId });
    if ('result' in outcome) world.files.delete(fileId);
    return { outcome, expected: isTheirs ? { result: null } : NOT_FOUND };
  },
  async purgeDataset({ world, transport, caller, named, datasetId }) {
    const gone = world.visible(caller, datasetId);
    const outcome = await transport.purgeDataset(caller.client, named ?? '');
    if ('result' in outcome) for (const fileId of gone) world.files.delete(fileId);
    if (named === undefined) return { outcome, expected: { status: 400 } };
    return { outcome, expected: { result: { deleted: gone.length } } };
  },
  async purgeCustomer({ world, transport, caller }) {
    const gone = DATASETS.flatMap((datasetId) => world.visible(caller, datasetId));
    const outcome = await transport.purgeCustomer(caller.client);
    if (caller.bound) return { outcome, expected: { status: 401 } };
    for (const fileId of gone) world.files.delete(fileId);
    return { outcome, expected: { result: { deleted: gone.length } } };
  },
  async node({ world, caller, globalId }) {
    const { data, errors } = await caller.client.graphql(NodeDocument, { id: globalId });
    const file = world.ever.find((known) => known.globalId === globalId);
    const isTheirs = file !== undefined && world.sees(caller, file);
    const expected = isTheirs ? { id: globalId, fileId: file.fileId } : null;
    return { outcome: { result: [errors, data.node] }, expected: { result: [[], expected] } };
  },
} satisfies Record<string, Operate>;

/** Every file has a word of the question. */
async function searchAll({ world, transport, caller, named, datasetId }: Step, mode: string) {
  const outcome = await transport.search(caller.client, {
    datasetId: named,
    question: 'What is the word of this file?',
    limit: 50,
    filters: [{ key: 'kind', match: { value: 'same' } }],
    mode,
  });
  const found = 'result' in outcome ? { result: outcome.result.map(fileOf).sort() } : outcome;
  return { outcome: found, expected: { result: world.visible(caller, datasetId) } };
}

type Operation = keyof typeof OPERATIONS;

const WEIGHTS: Partial<Record<Operation, number>> = {
  upload: 6,
  search: 3,
  purgeDataset: 1,
  purgeCustomer: 1,
};

const step = fc.record({
  operation: fc.oneof(
    ...(Object.keys(OPERATIONS) as Operation[]).map((name) => ({
      arbitrary: fc.constant(name),
      weight: WEIGHTS[name] ?? 2,
    })),
  ),
  transport: fc.constantFrom(...(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])),
  caller: fc.nat(3),
  named: fc.constantFrom(undefined, ...DATASETS),
  whose: fc.nat(40),
});

/** A customer has ten purges a minute. */
const steps = fc
  .array(step, { minLength: 10, maxLength: 30 })
  .filter((taken) => taken.filter(({ operation }) => operation.startsWith('purge')).length <= 10);

it('holds whatever two customers and their tokens do', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const world = await createWorld(gateway);
      for (const { operation, transport, caller: who, named, whose } of taken) {
        const caller = world.callers[who] as WorldCaller;
        // The last of the choices is a file that nobody has.
        const file = world.ever[whose % (world.ever.length + 1)];
        const { outcome, expected } = await OPERATIONS[operation]({
          world,
          transport: TRANSPORTS[transport],
          caller,
          named,
          datasetId: named ?? caller.bound ?? 'shared',
          fileId: file?.fileId ?? UNKNOWN,
          globalId: file?.globalId ?? btoa(`File:${UNKNOWN}:shared`),
        });
        expect(outcome).toMatchObject(refusalOf(operation, caller, named) ?? expected);
      }
      for (const caller of world.callers) expect(world.leaksTo(caller)).toEqual([]);
    }),
    { numRuns: 8 * EFFORT },
  );
});

describe("another customer's file and an unknown id are answered the same:", () => {
  it.each([
    ['GET', '/v1/files/{file}?datasetId=docs'],
    ['DELETE', '/v1/files/{file}?datasetId=docs'],
  ])('404 %s %s', async (method, path) => {
    const { stranger, fileId } = await twoCustomers();
    const ask = (id: string) => stranger.raw(method, path.replace('{file}', id));
    const [theirs, unknown] = [await ask(fileId), await ask(UNKNOWN)];
    expect(theirs.status).toBe(404);
    expect(await theirs.text()).toBe(await unknown.text());
    expect([...theirs.headers.keys()]).toEqual([...unknown.headers.keys()]);
  });

  it.each([
    ['file', '{ file(datasetId: "docs", fileId: "{file}") { fileId permanentUrl } }'],
    [
      'deleteFile',
      'mutation { deleteFile(input: { datasetId: "docs", fileId: "{file}" }) { fileId } }',
    ],
  ])('%s', async (_, document) => {
    const { stranger, fileId } = await twoCustomers();
    const ask = async (id: string) => {
      const { text, requestId } = await read(document.replace('{file}', id));
      return text.replace(requestId, '<request>').replaceAll(id, '<file>');
    };
    const read = async (query: string) => {
      const response = await stranger.raw('POST', '/graphql', { query });
      return { text: await response.text(), requestId: response.headers.get('x-request-id') ?? '' };
    };
    expect(await ask(fileId)).toBe(await ask(UNKNOWN));
  });

  async function twoCustomers() {
    const owner = await newCustomer(gateway);
    const stranger = await newCustomer(gateway);
    await stranger.upload('docs', { 'mine.txt': 'Mine.' });
    const { body } = await owner.upload('docs', { 'theirs.txt': 'Theirs.' });
    return { stranger, fileId: body.files[0].fileId };
  }
});

it('a token of a customer who is gone, or of another gateway, is no credential', async () => {
  const customer = await newCustomer(gateway);
  const { token } = await gateway.admin.createToken(customer.customerId, 'docs');
  const [header, , signature] = token.split('.');
  const claims = Buffer.from(
    JSON.stringify({ customerId: 'another', datasetId: 'docs', exp: 9_999_999_999 }),
  ).toString('base64url');
  const forged = createClient(gateway, `${header}.${claims}.${signature}`);
  expect((await forged.rest('GET', '/files')).status).toBe(401);
});

const NOT_FOUND = { status: 404, error: 'File not found', details: {} };

/** What a caller is told whose request names no dataset, or another than its token's. */
function refusalOf(operation: Operation, { bound }: WorldCaller, named: DatasetName | undefined) {
  if (operation === 'node' || operation === 'purgeCustomer') return undefined;
  if (!bound) return named === undefined ? { status: 400 } : undefined;
  const isQuestion = /^(search|answer)/.test(operation);
  return named !== undefined && named !== bound ? { status: isQuestion ? 400 : 403 } : undefined;
}

function idOf({ fileId }: { fileId: string }): string {
  return fileId;
}

function fileOf({ metadata }: { metadata: unknown }): string {
  return (metadata as { fileId: string }).fileId;
}
