import { query } from './graphql.ts';
import type { Remote } from './remote.ts';

interface Page<T> {
  files: { nodes: T[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

export interface FileList {
  /** The fields of `File` to read. */
  fields: string;
  /** Files of one request: their fields must fit into one answer. */
  pageSize: number;
}

/** All files of the dataset, newest first, read in pages. */
export async function* listFiles<T>(
  remote: Remote,
  { fields, pageSize }: FileList,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const document = `query ($datasetId: ID, $first: Int, $after: String) {
    files(datasetId: $datasetId, first: $first, after: $after) {
      nodes { ${fields} }
      pageInfo { hasNextPage endCursor }
    }
  }`;
  let after: string | null = null;
  for (;;) {
    const variables: Record<string, unknown> = {
      datasetId: remote.datasetId,
      first: pageSize,
      after,
    };
    const { files }: Page<T> = await query<Page<T>>(remote, document, variables, signal);
    yield* files.nodes;
    if (!files.pageInfo.hasNextPage) return;
    after = files.pageInfo.endCursor;
  }
}
