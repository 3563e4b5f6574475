import { SignJWT } from 'jose';
import type { ErrorCode } from '../../src/core/errors.ts';
import { RATE_WINDOWS, type RateWindowName } from '../../src/core/policy.ts';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { aiSdkTransport, openaiTransport } from './chat-transports.ts';
import { type Client, createClient, newCustomer } from './client.ts';
import { clientTransport } from './client-transport.ts';
import type { Faults } from './faults.ts';
import { faults, type TestGateway } from './gateway.ts';
import { graphqlTransport } from './graphql-transport.ts';
import { asTools, mcpTransport } from './mcp-transport.ts';
import { restTransport } from './rest-transport.ts';
import { type Outcome, resultOf, type Transport } from './transport.ts';

export type Who =
  | 'key'
  | 'token'
  | 'token of another dataset'
  | 'expired token'
  | 'token that reads'
  | 'nobody'
  | 'bad key';

/** A customer with a file in `docs`, and everybody who calls for them. */
export interface Scene {
  clients: Record<Who, Client>;
  fileId: string;
}

export type Act = (transport: Transport, client: Client, scene: Scene) => Promise<Outcome>;

/** What came of an act on one transport: its outcome, and what the customer has left of everything. */
interface Seen {
  outcome: Outcome;
  effects: unknown;
}

/** What came of an act on REST, and on every other transport that can do it, by name. */
interface Compared {
  rest: Seen;
  others: Record<string, { seen: Seen; expected: Seen }>;
}

interface Other {
  transport: Transport;
  /** What it can do; by default everything. */
  operations?: readonly (keyof Transport)[];
  /** What of an outcome over REST it tells as well; by default all of it. */
  view?: (outcome: Outcome) => Outcome;
  /** Refusals that are not compared. */
  except?: ErrorCode[];
}

const OTHERS: Record<string, Other> = {
  graphql: { transport: graphqlTransport },
  mcp: {
    transport: mcpTransport,
    operations: ['list', 'page', 'get', 'search', 'answer'],
    view: asTools,
  },
  client: {
    transport: clientTransport,
    operations: ['upload', 'list', 'get', 'remove', 'search', 'answer', 'createToken'],
    // It names the dataset in the address as well, so that a mismatch is found before anything is
    // counted; and 100 MB take long.
    except: ['DATASET_MISMATCH_IN_BODY', 'FILE_TOO_LARGE'],
  },
  openai: { transport: openaiTransport, ...chatOnly() },
  aiSdk: { transport: aiSdkTransport, ...chatOnly() },
};

/** Chats have no question of their own, and say in their terms what is missing. */
function chatOnly(): Pick<Other, 'operations' | 'except'> {
  return { operations: ['answer', 'stream'], except: ['DATASET_AND_QUESTION_REQUIRED'] };
}

/**
 * The same act on each transport that can do it, for a customer of its own; without ids, moments and
 * signatures.
 */
export async function actOnEach(gateway: TestGateway, as: Who, act: Act): Promise<Compared> {
  const used = new Set<PropertyKey>();
  const rest = await on(noteUse(restTransport, used));
  const others: Compared['others'] = {};
  for (const [name, { transport, operations, view, except }] of Object.entries(OTHERS)) {
    if (operations && !used.isSubsetOf(new Set<PropertyKey>(operations))) continue;
    if ('code' in rest.outcome && except?.includes(rest.outcome.code)) continue;
    const expected = view ? { ...rest, outcome: view(rest.outcome) } : rest;
    others[name] = { seen: await on(transport), expected };
  }
  return { rest, others };

  async function on(transport: Transport): Promise<Seen> {
    const scene = await setScene(gateway, '10', ['key', as]);
    const outcome = await act(transport, scene.clients[as], scene);
    return scrub({ outcome, effects: await observe(scene) });
  }
}

function noteUse(transport: Transport, used: Set<PropertyKey>): Transport {
  return new Proxy(transport, {
    get(target, operation) {
      used.add(operation);
      return Reflect.get(target, operation);
    },
  });
}

/** @param who are there to call */
export async function setScene(
  gateway: TestGateway,
  credits = '10',
  who: Who[] = ['key', 'token'],
): Promise<Scene> {
  const customer = await newCustomer(gateway, credits);
  const { body } = await customer.upload('docs', {
    'a.txt': 'The capital of Andorra is Andorra la Vella.',
  });
  const tokenOf = async (datasetId: string, options?: object) =>
    (await gateway.admin.createToken(customer.customerId, datasetId, options)).token;
  const credentials: Record<Exclude<Who, 'key'>, () => Promise<string | undefined>> = {
    token: () => tokenOf('docs'),
    'token of another dataset': () => tokenOf('other'),
    'expired token': () => expiredToken(customer.customerId),
    'token that reads': () => tokenOf('docs', { permissions: ['READ'] }),
    nobody: async () => undefined,
    'bad key': async () => 'fq_bad',
  };
  const clients: Partial<Scene['clients']> = {};
  for (const one of who) {
    clients[one] = one === 'key' ? customer : createClient(gateway, await credentials[one]());
  }
  return { fileId: body.files[0].fileId, clients: clients as Scene['clients'] };
}

function expiredToken(customerId: string): Promise<string> {
  return new SignJWT({ customerId, datasetId: 'docs' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(1)
    .sign(faults.deps.tokenSecret);
}

/** What a customer has left of everything. */
async function observe({ clients }: Scene) {
  const { data } = await clients.key.graphql(ViewerDocument);
  if (!data.viewer) throw new Error('no viewer');
  const { credits, rateLimits } = data.viewer;
  const files = resultOf(await restTransport.list(clients.key, { datasetId: 'docs' }));
  return {
    credits,
    left: rateLimits.map(({ name, remaining }) => [name, remaining]),
    files: files.map(({ originalName }) => originalName).sort(),
  };
}

/** Without what differs from one time to the next: ids, moments, signatures. */
function scrub<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"loaderId":"[0-9a-f]{16}"/g, '"loaderId":"<loader>"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, '<moment>')
    .replaceAll(/(signature|token)=[\w.-]+/g, '$1=<signature>')
    .replaceAll(/"token":"[^"]+"/g, '"token":"<token>"')
    .replaceAll(/"retryAfterSeconds":\d+/g, '"retryAfterSeconds":60');
  return JSON.parse(text);
}

/** An act while a call fails, as if the database were away when the failure has such a code. */
export function whileFailing(faults: Faults, call: string, act: Act, code?: string): Act {
  return (transport, me, scene) => {
    faults.before(call, () => {
      throw Object.assign(new Error('broken on purpose'), { code });
    });
    return act(transport, me, scene).finally(() => faults.mend());
  };
}

/** An act when nothing is left to spend. */
export function afterSpending(faults: Faults, act: Act): Act {
  return async (transport, me, scene) => {
    const { prisma } = faults.deps;
    const { customerKey } = await recordOf(faults, scene);
    await prisma.balance.update({ where: { customerKey }, data: { credits: 0 } });
    return act(transport, me, scene);
  };
}

/** An act when a rate window is full. */
export function afterReaching(faults: Faults, name: RateWindowName, act: Act): Act {
  return async (transport, me, scene) => {
    const { customerKey } = await recordOf(faults, scene);
    const window = { customerKey, name, limit: RATE_WINDOWS[name] };
    for (let { allowed } = { allowed: true }; allowed; ) {
      ({ allowed } = await faults.deps.rateLimiter.consume(window));
    }
    return act(transport, me, scene);
  };
}

/** An act on a dataset that another model has embedded. */
export function embeddedByAnother(faults: Faults, act: Act): Act {
  return async (transport, me, scene) => {
    const { customerKey, datasetId: id } = await recordOf(faults, scene);
    await faults.deps.prisma.dataset.update({
      where: { customerKey_id: { customerKey, id } },
      data: { embeddingModel: 'another-model' },
    });
    return act(transport, me, scene);
  };
}

function recordOf(faults: Faults, { fileId: id }: Scene) {
  return faults.deps.prisma.file.findFirstOrThrow({ where: { id } });
}
