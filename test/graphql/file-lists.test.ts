import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newLoaderKey } from '../../src/core/loader-key.ts';
import type {
  FileOrderInput,
  FilesQueryVariables,
  FileWhereInput,
} from '../../src/generated/graphql.ts';
import { FilesDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { EFFORT } from '../support/effort.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

/* Lists of files by conditions and in orders, compared with a plain sort and filter. */

let gateway: TestGateway;
let me: Client & { customerId: string };

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway);
});
afterAll(() => gateway.close());

interface Listed {
  fileId: string;
  originalName: string;
  extension: string;
  mimeType: string | null;
  size: number | null;
  /** In milliseconds. */
  created: number;
  extraMeta: Record<string, string | number | boolean>;
}

const START = Date.UTC(2026, 0, 1);
// Same letters in both cases, wildcards of LIKE, and characters that UTF-16 and code points order differently.
const letters = fc.constantFrom('a', 'A', 'b', 'B', 'é', 'É', '%', '_', '\\', '\uff5e', '😀', ' ');
const text = fc.string({ unit: letters, minLength: 1, maxLength: 3 });
const value = fc.constantFrom<string | number | boolean>(1, '1', true, 'x');

const file = fc.record<Listed>({
  fileId: fc.constant('').map(() => randomUUID()),
  originalName: text,
  extension: fc.constantFrom('', '.txt', '.md'),
  mimeType: fc.constantFrom(null, 'text/plain', 'text/markdown'),
  size: fc.constantFrom(null, 0, 1, 2, 3_000_000_000),
  created: fc.nat(3).map((at) => START + at),
  extraMeta: fc.record({ kind: value }, { requiredKeys: [] }),
});

const moment = fc
  .tuple(fc.nat(4), fc.constantFrom('Z', '+02:00'))
  .map(([at, zone]) =>
    new Date(START + at + (zone === 'Z' ? 0 : 7_200_000)).toISOString().replace('Z', zone),
  );
const optional = { requiredKeys: [] };
const where: fc.Arbitrary<FileWhereInput> = fc.record(
  {
    originalName: fc.record({ contains: text, startsWith: text, eq: text }, optional),
    extension: fc.constantFrom('', 'txt', '.MD', 'none'),
    mimeType: fc.constantFrom('text/plain', 'image/png'),
    createdAt: fc.record({ gte: moment, lt: moment }, optional),
    metadata: fc.array(
      value.map((one) => ({ key: 'kind', match: { value: one } })),
      { maxLength: 1 },
    ),
  },
  optional,
);
const orderBy: fc.Arbitrary<FileOrderInput> = fc.record({
  field: fc.constantFrom('CREATED', 'ORIGINAL_NAME', 'SIZE'),
  direction: fc.constantFrom('ASC', 'DESC'),
});

describe('a list of files', () => {
  it('has the files that meet its conditions, each once, in its order, from either end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { maxLength: 12 }),
        fc.array(
          fc.tuple(fc.option(where, { nil: undefined }), orderBy, fc.integer({ min: 1, max: 5 })),
          {
            minLength: 4,
            maxLength: 4,
          },
        ),
        async (files, lists) => {
          const datasetId = await addFiles(files);
          for (const [conditions, order, size] of lists) {
            const expected = files
              .filter((one) => meets(one, conditions ?? {}))
              .sort((left, right) => compare(left, right, order))
              .map(({ fileId }) => fileId);
            const list = { datasetId, where: conditions, orderBy: order };
            expect(await readAll(list, size)).toEqual(expected);
            expect((await readAll(list, size, true)).toReversed()).toEqual(expected);
          }
        },
      ),
      { numRuns: 12 * EFFORT },
    );
  });

  it.each<[unknown, string]>([
    [{ createdAt: { gte: 'yesterday' } }, 'createdAt.gte must be a point in time as in RFC 3339'],
    [
      { createdAt: { lt: '2026-02-30T00:00:00Z' } },
      'createdAt.lt must be a point in time as in RFC 3339',
    ],
    [
      { createdAt: { lt: '0000-01-01T00:00:00Z' } },
      'createdAt.lt must be a point in time as in RFC 3339',
    ],
    [{ originalName: { contains: 'a\0b' } }, 'originalName.contains must be readable text'],
    [{ originalName: { eq: '\ud800' } }, 'originalName.eq must be readable text'],
    [
      { originalName: { startsWith: 'x'.repeat(256) } },
      'originalName.startsWith must be at most 255 characters long',
    ],
    [{ mimeType: 'x'.repeat(256) }, 'mimeType must be at most 255 characters long'],
    [
      { metadata: [{ key: '', match: { value: 1 } }] },
      'a filter needs a key: a metadata field name',
    ],
    [{ metadata: Array(51).fill({ key: 'a', match: { value: 1 } }) }, 'filters must be at most 50'],
  ])('is refused where %j', async (conditions, reason) => {
    const { data, errors } = await me.graphql(FilesDocument, {
      datasetId: 'docs',
      where: conditions as FileWhereInput,
    });
    expect(data.files).toBeNull();
    expect(errors).toMatchObject([
      { message: reason, extensions: { code: 'INVALID_INPUT', reason } },
    ]);
  });

  it('by a moment finer than a millisecond has no file before it', async () => {
    const datasetId = await addFiles([fileAt(START), fileAt(START + 1)]);
    const count = async (createdAt: object) =>
      (await page({ datasetId, where: { createdAt } })).totalCount;
    expect(await count({ gte: '2026-01-01T00:00:00.0001Z' })).toBe(1);
    expect(await count({ lt: '2026-01-01T00:00:00.0001Z' })).toBe(1);
    expect(await count({ gte: '2026-01-01t00:00:00.000z' })).toBe(2);
    expect(await count({ gte: '2026-01-01T23:59:00+23:59' })).toBe(2);
  });

  it('refuses the cursor of another order, and takes it with other conditions', async () => {
    const datasetId = await addFiles([fileAt(START), fileAt(START + 1), fileAt(START + 2)]);
    const byName = { field: 'ORIGINAL_NAME', direction: 'ASC' } as const;
    const first = await page({ datasetId, orderBy: byName, first: 1 });
    const after = first.pageInfo.endCursor;
    for (const orderBy of [
      undefined,
      { field: 'SIZE', direction: 'ASC' } as const,
      { field: 'ORIGINAL_NAME', direction: 'DESC' } as const,
    ]) {
      const { errors } = await me.graphql(FilesDocument, { datasetId, after, orderBy });
      expect(errors).toMatchObject([{ message: 'cursor is of a list in another order' }]);
    }
    const rest = await page({ datasetId, after, orderBy: byName, where: { extension: '' } });
    expect(rest.nodes).toHaveLength(2);
  });
});

function fileAt(created: number): Listed {
  const [fileId, mimeType] = [randomUUID(), null];
  return { fileId, originalName: 'a', extension: '', mimeType, size: 1, created, extraMeta: {} };
}

/** Records of files without copy and chunks, in a new dataset. @returns its id */
async function addFiles(files: Listed[]): Promise<string> {
  const { prisma } = faults.deps;
  const { key: customerKey } = await prisma.customer.findUniqueOrThrow({
    where: { id: me.customerId },
  });
  const datasetId = randomUUID();
  await prisma.dataset.create({ data: { customerKey, id: datasetId, embeddingModel: 'none' } });
  await prisma.file.createMany({
    data: files.map(({ fileId, created, size, ...rest }) => ({
      ...rest,
      customerKey,
      datasetId,
      id: fileId,
      size: size === null ? null : BigInt(size),
      loaderKey: newLoaderKey(),
      path: `none/${fileId}`,
      created: new Date(created),
    })),
  });
  return datasetId;
}

async function page(list: FilesQueryVariables) {
  const { data, errors } = await me.graphql(FilesDocument, list);
  expect(errors).toEqual([]);
  if (!data.files) throw new Error('no page');
  return data.files;
}

/** The ids of a list that is read page by page, in the order of reading. */
async function readAll(
  list: FilesQueryVariables,
  size: number,
  backwards = false,
): Promise<string[]> {
  const read: string[] = [];
  let cursor: string | null = null;
  do {
    const asked: FilesQueryVariables = backwards
      ? { last: size, before: cursor }
      : { first: size, after: cursor };
    const { nodes, pageInfo, totalCount } = await page({ ...list, ...asked });
    const ids = nodes.map(({ fileId }) => fileId);
    read.push(...(backwards ? ids.toReversed() : ids));
    const more: boolean = backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
    cursor = more ? (backwards ? pageInfo.startCursor : pageInfo.endCursor) : null;
    if (!more) expect(totalCount).toBe(read.length);
  } while (cursor !== null);
  return read;
}

function meets(
  one: Listed,
  { originalName, extension, mimeType, createdAt, metadata }: FileWhereInput,
) {
  const name = one.originalName;
  const lower = name.toLowerCase();
  const { contains, startsWith, eq } = originalName ?? {};
  const { gte, lt } = createdAt ?? {};
  const wanted = extension && `.${extension.toLowerCase().replace('.', '')}`;
  const [filter] = [metadata ?? []].flat();
  return (
    lower.includes(contains?.toLowerCase() ?? '') &&
    lower.startsWith(startsWith?.toLowerCase() ?? '') &&
    [undefined, name].includes(eq ?? undefined) &&
    (extension === undefined || one.extension === wanted) &&
    (mimeType === undefined || one.mimeType === mimeType) &&
    (gte === undefined || one.created >= Date.parse(String(gte))) &&
    (lt === undefined || one.created < Date.parse(String(lt))) &&
    (filter === undefined || one.extraMeta['kind'] === filter.match?.value)
  );
}

function compare(left: Listed, right: Listed, { field, direction }: FileOrderInput): number {
  const keys = {
    CREATED: (one: Listed) => [one.created],
    ORIGINAL_NAME: (one: Listed) => [
      bytes(one.originalName.toLowerCase()),
      bytes(one.originalName),
    ],
    SIZE: (one: Listed) => [one.size ?? -1],
  }[field];
  const pairs = [...keys(left), left.fileId].map((key, at) => [
    key,
    [...keys(right), right.fileId][at],
  ]);
  for (const [a = 0, b = 0] of pairs) {
    if (a !== b) return a < b === (direction === 'ASC') ? -1 : 1;
  }
  return 0;
}

/** A text that compares by code points. */
function bytes(name: string): string {
  return Buffer.from(name).toString('hex');
}
