import { initGraphQLTada } from 'gql.tada';
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest';
import type { introspection } from '../../generated/introspection.ts';
import { type Served, serveShared } from '../../support/served.ts';

const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  scalars: { DateTime: string; Decimal: string; JSON: unknown };
}>();

const HIT = graphql(`
  fragment Hit on SearchHit @_unmask {
    originalName
    score
    location {
      page
    }
  }
`);
const SEARCH = graphql(
  `
    query Find($input: SearchInput!) {
      viewer {
        credits
      }
      search(input: $input) {
        ...Hit
      }
    }
  `,
  [HIT],
);

let served: Served;

beforeAll(async () => {
  served = await serveShared();
});
afterAll(() => served.stop());

it('types a document by the schema', async () => {
  const { data, errors } = await served.me.graphql(SEARCH, {
    input: {
      datasetId: 'docs',
      question: 'Andorra',
      mode: 'HYBRID',
      filters: [{ key: 'page', match: { range: { gte: 1 } } }],
    },
  });
  expect(errors).toEqual([]);
  expect(data).toEqual({
    // The fields of a query are read at once: the search may be paid before or after.
    viewer: { credits: expect.stringMatching(/^(99|98\.9)$/) },
    search: [],
  });
  expectTypeOf(data.viewer).toEqualTypeOf<{ credits: string | null } | null>();
  expectTypeOf(data.search).toEqualTypeOf<
    { originalName: string; score: number; location: { page: number | null } }[] | null
  >();
});
