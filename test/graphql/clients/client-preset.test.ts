import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest';
import { type FragmentType, graphql, useFragment } from '../../generated/client-preset/index.ts';
import { type Served, serveShared } from '../../support/served.ts';

const FILE_ROW = graphql(`
  fragment FileRow on File {
    id
    originalName
    size
    createdAt
  }
`);
const LIST = graphql(`
  query ListRows($datasetId: ID!, $where: FileWhereInput) {
    files(datasetId: $datasetId, where: $where) {
      totalCount
      nodes {
        ...FileRow
      }
    }
  }
`);

let served: Served;

beforeAll(async () => {
  served = await serveShared();
});
afterAll(() => served.stop());

it('types a document and its fragment', async () => {
  const where = { originalName: { startsWith: 'A' } };
  const { data, errors } = await served.me.graphql(LIST, { datasetId: 'docs', where });
  expect(errors).toEqual([]);
  expect(data.files?.totalCount).toBe(1);
  expect(data.files?.nodes.map(nameOf)).toEqual(['a.txt']);
});

/** As a component reads its own fragment, and nothing else. */
function nameOf(row: FragmentType<typeof FILE_ROW>): string {
  const file = useFragment(FILE_ROW, row);
  expectTypeOf(file.size).toEqualTypeOf<number | null>();
  expectTypeOf(row).not.toHaveProperty('originalName');
  return file.originalName;
}
