import { hash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { createDataset } from './support/dataset.ts';
import { createFaults } from './support/faults.ts';
import { startBeside, type TestGateway } from './support/gateway.ts';
import { multipart, sendForm } from './support/graphql.ts';
import { readLedger } from './support/ledger.ts';

/* The hash of a file, and what an upload does with files that the dataset has already. */

const FOX = 'The fox is quick.';
const OWL = 'The owl is wise.';

const faults = createFaults();
let gateway: TestGateway;
let other: TestGateway;
let me: Awaited<ReturnType<typeof newCustomer>>;
let docs: ReturnType<typeof createDataset>;

beforeAll(async () => {
  [gateway, other] = await Promise.all([startBeside({}, faults.override), startBeside()]);
});
beforeEach(async () => {
  me = await newCustomer(gateway, '100');
  docs = createDataset(me, 'docs');
});
afterEach(() => faults.mend());
afterAll(async () => {
  await other.close();
  await gateway.close();
});

type Files = [name: string, text: string][];

interface Uploaded {
  status: number;
  error?: string;
  files: string[];
  skipped: string[];
  replaced: string[];
  fileCount: number;
}

type Upload = (client: Client, files: Files, onDuplicate?: string) => Promise<Uploaded>;
type Named = { originalName: string };
const names = (files: Named[] = []) => files.map(({ originalName }) => originalName);

const overRest: Upload = async (client, files, onDuplicate) => {
  const form = new FormData();
  form.set('datasetId', 'docs');
  if (onDuplicate) form.set('onDuplicate', onDuplicate);
  for (const [name, text] of files) form.append('file', new Blob([text]), name);
  const { status, body } = await client.rest('POST', '/files/upload', form);
  return {
    status,
    error: body.error,
    files: names(body.files),
    skipped: names(body.skipped),
    replaced: names(body.replaced),
    fileCount: body.billed?.fileCount,
  };
};

const overGraphql: Upload = async (client, files, onDuplicate) => {
  const form = multipart(
    `mutation ($files: [Upload!]!, $onDuplicate: OnDuplicate) {
      uploadFiles(input: { datasetId: "docs", files: $files, onDuplicate: $onDuplicate }) {
        files { originalName } skipped { originalName } replaced { originalName }
        billed { fileCount } dataset { datasetId }
      }
    }`,
    { files: files.map(() => null), onDuplicate },
    files.map(([name, content], at) => ({ name, content, places: [`variables.files.${at}`] })),
  );
  const { data, errors } = await sendForm<{
    uploadFiles: Record<string, Named[]> & { billed: unknown };
  }>(client, form);
  if (errors[0]) return { status: 400, error: errors[0].message } as Uploaded;
  const { files: stored, skipped, replaced, billed } = data.uploadFiles;
  const { fileCount } = billed as { fileCount: number };
  return {
    status: 200,
    files: names(stored),
    skipped: names(skipped),
    replaced: names(replaced),
    fileCount,
  };
};

/** The price of the uploads; searches cost a tenth. */
async function spent(): Promise<number> {
  return Math.floor(100 - Number((await readLedger(faults, me.customerId)).credits));
}

it('a file has the SHA-256 hash of its bytes, in GraphQL only', async () => {
  const big = new Uint8Array(300_000).fill(65);
  const { body } = await me.upload('docs', { 'fox.txt': FOX, 'big.txt': new Blob([big]) });
  const { data } = await me.graphql(
    '{ files(datasetId: "docs") { nodes { originalName contentHash } } }',
  );
  const hashes = data.files.nodes.map((file: Named & { contentHash: string }) => [
    file.originalName,
    file.contentHash,
  ]);
  expect(Object.fromEntries(hashes)).toEqual({
    'fox.txt': hash('sha256', FOX),
    'big.txt': hash('sha256', big),
  });
  const { body: listed } = await me.rest('GET', '/files?datasetId=docs');
  const { body: one } = await me.rest('GET', `/files/${body.files[0].fileId}?datasetId=docs`);
  for (const file of [...body.files, ...listed.files, one.file])
    expect(file).not.toHaveProperty('contentHash');
});

it('a file of an earlier version has no hash, and is never a duplicate', async () => {
  await overRest(me, [['fox.txt', FOX]]);
  await faults.deps.prisma.file.updateMany({
    where: { dataset: { customer: { id: me.customerId } } },
    data: { contentHash: null },
  });
  const { data } = await me.graphql('{ files(datasetId: "docs") { nodes { contentHash } } }');
  expect(data.files.nodes).toEqual([{ contentHash: null }]);
  expect(await overRest(me, [['fox.txt', FOX]], 'SKIP')).toMatchObject({
    skipped: [],
    fileCount: 1,
  });
});

describe.each([
  ['REST', overRest],
  ['GraphQL', overGraphql],
] as const)('over %s', (_, upload) => {
  it.each([undefined, 'KEEP_BOTH'])('%s: both are kept', async (onDuplicate) => {
    await upload(me, [['fox.txt', FOX]]);
    expect(await upload(me, [['fox.txt', FOX]], onDuplicate)).toMatchObject({
      ...{ status: 200, files: ['fox.txt'], skipped: [], replaced: [], fileCount: 1 },
    });
    expect(await docs.listed()).toEqual(['fox.txt', 'fox.txt']);
    expect(await spent()).toBe(2);
  });

  it('SKIP: the same content is not stored again, whatever its name, and costs nothing', async () => {
    await upload(me, [['fox.txt', FOX]]);
    const sent: Files = [
      ['copy.txt', FOX],
      ['owl.txt', OWL],
      ['fox.txt', OWL],
    ];
    expect(await upload(me, sent, 'SKIP')).toEqual({
      ...{
        status: 200,
        files: ['owl.txt'],
        skipped: ['fox.txt', 'owl.txt'],
        replaced: [],
        fileCount: 1,
      },
    });
    expect(await docs.listed()).toEqual(['fox.txt', 'owl.txt']);
    expect(await docs.found()).toEqual(['fox.txt', 'owl.txt']);
    expect(await spent()).toBe(2);
    expect(await upload(me, sent, 'SKIP')).toMatchObject({
      files: [],
      skipped: ['fox.txt', 'owl.txt', 'owl.txt'],
      fileCount: 0,
    });
    expect(await spent()).toBe(2);
  });

  it('REPLACE: the new file takes the place of all with its name', async () => {
    await upload(me, [
      ['fox.txt', FOX],
      ['owl.txt', OWL],
    ]);
    await upload(me, [['fox.txt', `${FOX} It runs.`]]);
    expect(
      await upload(
        me,
        [
          ['fox.txt', OWL],
          ['hen.txt', OWL],
        ],
        'REPLACE',
      ),
    ).toEqual({
      ...{
        status: 200,
        files: ['fox.txt', 'hen.txt'],
        skipped: [],
        replaced: ['fox.txt', 'fox.txt'],
        fileCount: 2,
      },
    });
    expect(await docs.listed()).toEqual(['fox.txt', 'hen.txt', 'owl.txt']);
    expect(await spent()).toBe(5);
    const { data } = (
      await me.rest('POST', '/search', { datasetId: 'docs', question: FOX, limit: 50 })
    ).body;
    expect(data.map(({ pageContent }: { pageContent: string }) => pageContent)).toEqual([
      OWL,
      OWL,
      OWL,
    ]);
    expect(
      await gateway.maintenance.verify({ customer: me.customerId, youngMinutes: 0 }),
    ).toMatchObject({ drifts: [] });
  });

  it('400 for a word that is none of them, and for two files to replace the same', async () => {
    expect((await upload(me, [['fox.txt', FOX]], 'OVERWRITE')).status).toBe(400);
    const twice: Files = [
      ['fox.txt', FOX],
      ['fox.txt', OWL],
    ];
    expect(await upload(me, twice, 'REPLACE')).toMatchObject({
      ...{
        status: 400,
        error: 'onDuplicate REPLACE needs different names: fox.txt is there twice',
      },
    });
    expect(await spent()).toBe(0);
  });
});

it('GraphQL shows 100 of the replaced files, and the ids of all', async () => {
  me = await newCustomer(gateway, null);
  for (const count of [...Array(5).fill(20), 1]) {
    await overRest(me, Array(count).fill(['fox.txt', FOX]));
  }
  const form = multipart(
    `mutation ($files: [Upload!]!) {
      uploadFiles(input: { datasetId: "docs", files: $files, onDuplicate: REPLACE }) {
        replaced { id } replacedFileIds
      }
    }`,
    { files: [null] },
    [{ name: 'fox.txt', content: OWL, places: ['variables.files.0'] }],
  );
  const { data } = await sendForm<{
    uploadFiles: { replaced: { id: string }[]; replacedFileIds: string[] };
  }>(me, form);
  const { replaced, replacedFileIds } = data.uploadFiles;
  expect(replacedFileIds).toHaveLength(101);
  expect(replaced.map(({ id }) => id)).toEqual(replacedFileIds.slice(0, 100));
});

it('REST answers as in the contract without onDuplicate', async () => {
  const { body } = await me.upload('docs', { 'fox.txt': FOX });
  expect(Object.keys(body)).toEqual(['success', 'message', 'files', 'billed']);
});

describe('several uploads at once', () => {
  const both = (onDuplicate: string) => {
    const clients = [me, createClient(other, me.apiKey)];
    return Promise.all(
      clients.flatMap((client) =>
        [1, 2].map(() => overRest(client, [['fox.txt', FOX]], onDuplicate)),
      ),
    );
  };

  it('SKIP stores one, and one is paid', async () => {
    const uploaded = await both('SKIP');
    expect(uploaded.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(uploaded.map(({ fileCount }) => fileCount).toSorted()).toEqual([0, 0, 0, 1]);
    expect(await docs.listed()).toEqual(['fox.txt']);
    expect(await docs.found()).toEqual(['fox.txt']);
    expect(await spent()).toBe(1);
  });

  it('REPLACE leaves the last', async () => {
    const uploaded = await both('REPLACE');
    expect(uploaded.flatMap(({ replaced }) => replaced)).toHaveLength(3);
    expect(await docs.listed()).toEqual(['fox.txt']);
    expect(await spent()).toBe(4);
  });

  it('a duplicate that comes while another is ingested is skipped after all, also with a key', async () => {
    let late: Promise<unknown> | undefined;
    faults.before('index.add', () => {
      late ??= overRest(createClient(other, me.apiKey), [['first.txt', FOX]]);
      return late;
    });
    const form = new FormData();
    form.set('datasetId', 'docs');
    form.set('onDuplicate', 'SKIP');
    form.append('file', new Blob([FOX]), 'second.txt');
    form.append('file', new Blob([OWL]), 'owl.txt');
    const send = async () => {
      const init = { headers: { 'idempotency-key': 'late' } };
      return (await me.raw('POST', '/v1/files/upload', form, init)).json();
    };
    const answer = await send();
    expect([names(answer.files), names(answer.skipped)]).toEqual([['owl.txt'], ['first.txt']]);
    expect(await send()).toEqual(answer);
    expect(await docs.listed()).toEqual(['first.txt', 'owl.txt']);
    expect(await spent()).toBe(2);
  });
});

describe('REPLACE is all or nothing', () => {
  it('a search finds the old file or the new one, and never both', async () => {
    const rich = await newCustomer(gateway);
    const seen = new Set<number>();
    const search = async (mode: string) => {
      const asked = { datasetId: 'docs', question: 'Is the fox quick?', mode };
      seen.add((await rich.rest('POST', '/search', asked)).body.data.length);
    };
    await overRest(rich, [['fox.txt', FOX]]);
    for (let round = 0; round < 20; round++) {
      let isReplaced = false;
      const replacing = overRest(rich, [['fox.txt', `${FOX} ${round}`]], 'REPLACE').finally(() => {
        isReplaced = true;
      });
      // Not more in a minute than the rate limit allows.
      for (let searches = 0; searches < 8 && !isReplaced; searches++) {
        await Promise.all(['vector', 'keyword', 'hybrid'].map(search));
      }
      expect((await replacing).status).toBe(200);
    }
    expect([...seen]).toEqual([1]);
  });

  it('a failure leaves the file that was there', async () => {
    await overRest(me, [['fox.txt', FOX]]);
    faults.fail('index.add');
    expect((await overRest(me, [['fox.txt', OWL]], 'REPLACE')).status).toBe(500);
    faults.mend();
    expect(await docs.listed()).toEqual(['fox.txt']);
    expect(await docs.found()).toEqual(['fox.txt']);
    expect(await spent()).toBe(1);
  });

  it('what cannot be removed at once stays hidden', async () => {
    await overRest(me, [['fox.txt', FOX]]);
    faults.fail('storage.remove');
    expect((await overRest(me, [['fox.txt', OWL]], 'REPLACE')).status).toBe(200);
    expect(await docs.listed()).toEqual(['fox.txt']);
  });
});
