import { FilequeryError } from './client-errors.ts';
import type { Connection, RequestOptions } from './connection.ts';
import { query } from './query.ts';
import { toGraphqlFilters } from './to-graphql-filters.ts';
import type { Filter, FilterGroup, ListedFile, StoredFile } from './types.ts';

export interface ListOptions<Field extends keyof ListedFile = keyof StoredFile>
  extends RequestOptions {
  /** The dataset; a frontend token implies its own. */
  datasetId?: string;
  /** On `fileId`, `originalName`, `mimeType` and custom metadata. */
  filters?: Filter[] | FilterGroup;
  /** The fields to read of each file; by default those of REST. */
  fields?: readonly Field[];
  /** Files per request, 1 to 1,000; 100 by default. */
  pageSize?: number;
}

/**
 * The files of a dataset, newest first, read page by page while they are consumed. Lists with filters or
 * chosen fields are read over GraphQL, because REST has neither.
 *
 * @throws FilequeryError
 */
export async function* list<Field extends keyof ListedFile = keyof StoredFile>(
  connection: Connection,
  { datasetId, filters, fields, pageSize = 100, signal }: ListOptions<Field> = {},
): AsyncGenerator<Pick<ListedFile, Field>, void, undefined> {
  // GraphQL takes 0 for a list without files, and the dataset would look empty.
  if (pageSize < 1)
    throw new FilequeryError('pageSize must be at least 1', { code: 'INVALID_INPUT' });
  const isPlain = filters === undefined && fields === undefined;
  const readPage = isPlain ? overRest : overGraphql(fields ?? STORED_FIELDS, filters);
  let cursor: string | null = null;
  let limit = pageSize;
  for (;;) {
    let page: Page;
    try {
      page = await readPage(connection, { datasetId, limit, cursor }, signal);
    } catch (error) {
      // Transcriptions of recordings can be long.
      if (limit === 1 || !isTooLarge(error)) throw error;
      limit = Math.ceil(limit / 4);
      continue;
    }
    yield* page.files as ListedFile[];
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

interface Page {
  files: object[];
  nextCursor: string | null;
}

interface Wanted {
  datasetId: string | undefined;
  limit: number;
  cursor: string | null;
}

function overRest(connection: Connection, wanted: Wanted, signal?: AbortSignal): Promise<Page> {
  const path = `/v1/files${query({ ...wanted })}`;
  return connection.json({ method: 'GET', path, signal }, 'files');
}

function overGraphql(fields: readonly string[], filters: Filter[] | FilterGroup | undefined) {
  const selected = fields.map((field) => SELECTIONS[field] ?? field).join(' ');
  const where = filters && { metadata: toGraphqlFilters(filters) };
  const document = `
    query ($datasetId: ID, $limit: Int, $cursor: String, $where: FileWhereInput) {
      files(datasetId: $datasetId, first: $limit, after: $cursor, where: $where) {
        nodes { ${selected} }
        pageInfo { hasNextPage endCursor }
      }
    }`;
  return async (connection: Connection, wanted: Wanted, signal?: AbortSignal): Promise<Page> => {
    const { files } = await connection.graphql<GraphqlPage>(document, { ...wanted, where }, signal);
    const { nodes, pageInfo } = files;
    return { files: nodes, nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  };
}

interface GraphqlPage {
  files: { nodes: object[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

/** Where GraphQL has another name than REST. */
const SELECTIONS: Record<string, string> = {
  created: 'created: createdAt',
  transcriptionSrt: 'transcriptionSrt { id: number startTime endTime text }',
};

const STORED_FIELDS = [
  'customerId',
  'datasetId',
  'fileId',
  'filePath',
  'originalName',
  'mimeType',
  'size',
  'loaderId',
  'created',
  'extension',
  'transcriptionText',
  'transcriptionSrt',
  'extraMeta',
] as const satisfies (keyof StoredFile)[];

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof FilequeryError && ['ANSWER_TOO_LARGE', 'QUERY_TOO_COSTLY'].includes(error.code)
  );
}
