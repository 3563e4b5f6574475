import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ViewerDocument } from '../src/generated/graphql.ts';
import { audit } from './support/audit.ts';
import { type Client, newCustomer } from './support/client.ts';
import { EFFORT } from './support/effort.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { graphqlTransport } from './support/graphql-transport.ts';
import { restTransport } from './support/rest-transport.ts';
import { resultOf } from './support/transport.ts';

const docs = { datasetId: 'docs' };
const question = 'What is the word of this file?';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  expect(await audit(gateway)).toEqual({});
});
afterAll(() => gateway.close());

it('fifty questions on the last credit are charged once', async () => {
  const me = await newCustomer(gateway, '1.1');
  await me.upload('docs', { 'a.txt': 'Apples.' });
  const outcomes = await atOnce(50, (transport, at) =>
    at % 4 < 2
      ? transport.answer(me, { ...docs, question })
      : transport.search(me, { ...docs, question }),
  );
  const refused = { status: 402, details: { required: 0.1, available: 0 } };
  const failures = outcomes.filter((outcome) => !('result' in outcome));
  expect(failures).toHaveLength(49);
  for (const failure of failures) expect(failure).toMatchObject(refused);
  expect((await me.graphql(ViewerDocument)).data.viewer?.credits).toBe('0');
});

it('as many questions as there are credits are answered', async () => {
  const me = await newCustomer(gateway, '2');
  const outcomes = await atOnce(30, (transport) => transport.search(me, { ...docs, question }));
  expect(outcomes.filter((outcome) => 'result' in outcome)).toHaveLength(20);
});

it('no more calls than a window has are let in', async () => {
  const me = await newCustomer(gateway);
  const outcomes = await atOnce(25, (transport) => transport.purgeDataset(me, 'docs'));
  expect(outcomes.filter((outcome) => 'result' in outcome)).toHaveLength(10);
});

it('uploads into one new dataset are all there', async () => {
  const me = await newCustomer(gateway);
  const outcomes = await atOnce(16, (transport, at) =>
    transport.upload(me, { ...docs, files: wordFile(at) }),
  );
  const uploaded = outcomes.flatMap((outcome) => resultOf(outcome).files);
  const listed = resultOf(await restTransport.list(me, docs));
  expect(idsOf(listed)).toEqual(idsOf(uploaded));
  const hits = resultOf(await restTransport.search(me, { ...docs, question, limit: 50 }));
  expect(hits.map(({ pageContent }) => pageContent).sort()).toEqual(
    Array.from({ length: 16 }, (_, at) => `The word of this file is word${at}.`).sort(),
  );
});

describe('a file that several delete at once', () => {
  it('is gone, and nobody is told anything else', async () => {
    const me = await newCustomer(gateway);
    const { body } = await me.upload('docs', { ...wordFile(1), ...wordFile(2) });
    const [{ fileId }] = body.files;
    const outcomes = await atOnce(12, (transport) => transport.remove(me, { ...docs, fileId }));
    const failures = outcomes.filter((outcome) => !('result' in outcome));
    expect(failures.length).toBeLessThan(outcomes.length);
    for (const failure of failures) expect(failure).toMatchObject({ status: 404 });
    expect(resultOf(await restTransport.list(me, docs))).toHaveLength(1);
  });

  it('is counted once by the purges that find it', async () => {
    const me = await newCustomer(gateway);
    await me.upload('docs', { ...wordFile(1), ...wordFile(2), ...wordFile(3) });
    const outcomes = await atOnce(6, (transport, at) =>
      at % 3 === 0 ? transport.purgeCustomer(me) : transport.purgeDataset(me, 'docs'),
    );
    const deleted = outcomes.map((outcome) => deletedOf(resultOf(outcome)));
    expect(deleted.reduce((sum, count) => sum + count)).toBe(3);
  });
});

it('purges and sweeps while files come in leave every file whole or gone', async () => {
  const me = await newCustomer(gateway);
  const uploaded: string[] = [];
  const purges: Promise<number>[] = [];
  await atOnce(4, async (transport, lane) => {
    for (let turn = 0; turn < 6; turn++) {
      const files = wordFile(lane * 6 + turn);
      uploaded.push(...idsOf(resultOf(await transport.upload(me, { ...docs, files })).files));
      const sweep = gateway.maintenance.sweep();
      if (turn % 3 === 1)
        purges.push(transport.purgeDataset(me, 'docs').then(resultOf).then(deletedOf));
      await sweep;
    }
  });
  const deleted = (await Promise.all(purges)).reduce((sum, count) => sum + count);
  const listed = resultOf(await restTransport.list(me, docs));
  expect(new Set(idsOf(listed)).isSubsetOf(new Set(uploaded))).toBe(true);
  expect(deleted).toBeGreaterThan(0);
  expect(listed.length + deleted).toBe(uploaded.length);
  const hits = resultOf(await restTransport.search(me, { ...docs, question, limit: 50 }));
  expect(hits).toHaveLength(listed.length);
  for (const file of listed) {
    const { permanentUrl = '' } = resultOf(await restTransport.get(me, file));
    const download = await gateway.download(permanentUrl);
    expect(await download.text()).toBe(wordFile(numberOf(file.originalName))[file.originalName]);
  }
});

it('readers of a file that nobody has read are given one and the same URL', async () => {
  const me = await newCustomer(gateway);
  const { body } = await me.upload('docs', wordFile(1));
  const [{ fileId }] = body.files;
  const outcomes = await atOnce(20, (transport) => transport.get(me, { ...docs, fileId }));
  const urls = outcomes.map((outcome) => resultOf(outcome).permanentUrl);
  expect(new Set(urls).size).toBe(1);
  expect(resultOf(await graphqlTransport.get(me, { ...docs, fileId })).permanentUrl).toBe(urls[0]);
});

it('hundreds of calls at once of three callers are answered with their own', async () => {
  const callers = await Promise.all(
    ['pear', 'plum', 'fig'].map(async (word) => {
      const me = await newCustomer(gateway);
      const { body } = await me.upload('docs', { 'same.txt': `The word is ${word}.` });
      return { me, word, fileId: body.files[0].fileId };
    }),
  );
  const calls = callers.flatMap(({ me, word, fileId }) =>
    Array.from({ length: 150 * EFFORT }, (_, at) => expectOwn(me, at, { word, fileId })),
  );
  await Promise.all(calls);
});

/** One call of a caller, and what is its own in the answer. */
async function expectOwn(
  me: Client,
  at: number,
  { word, fileId }: { word: string; fileId: string },
): Promise<void> {
  const transport = at % 2 === 0 ? restTransport : graphqlTransport;
  if (at % 10 < 2) {
    const hits = resultOf(await transport.search(me, { ...docs, question: 'word' }));
    expect(hits).toMatchObject([{ pageContent: `The word is ${word}.`, metadata: { fileId } }]);
  } else if (at % 10 < 6) {
    expect(resultOf(await transport.list(me, docs))).toMatchObject([{ fileId }]);
  } else {
    expect(resultOf(await transport.get(me, { ...docs, fileId }))).toMatchObject({ fileId });
  }
}

type Transports = typeof restTransport;

/** Does the same many times at once, on both transports by turns. */
function atOnce<T>(
  times: number,
  act: (transport: Transports, at: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: times }, (_, at) =>
      act(at % 2 === 0 ? restTransport : graphqlTransport, at),
    ),
  );
}

function wordFile(number: number): Record<string, string> {
  return { [`${number}.txt`]: `The word of this file is word${number}.` };
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

function idsOf(files: { fileId: string }[]): string[] {
  return files.map(({ fileId }) => fileId).sort();
}

function deletedOf({ deleted }: { deleted: number }): number {
  return deleted;
}
