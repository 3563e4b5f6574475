import { chunkCursor, parseChunkCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import { memoize } from '../../core/memoize.ts';
import type { Chunk } from '../../core/model.ts';
import { isUuid } from '../../core/uuid.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller, UseCase } from '../guard.ts';
import { type Page, toPage } from '../keyset.ts';
import { type PageInput, type PageSelection, readPageSelection } from '../page-input.ts';
import { isVisibleFile } from './file-records.ts';

const { empty, raw, sql } = Prisma;

type Deps = Pick<Dependencies, 'query'>;

export interface ChunkPagesInput extends PageInput {
  fileIds: readonly string[];
}

/** A page of the chunks of a file, in the direction of reading. */
export interface ChunkPage extends Page<Chunk> {
  cursorOf: (chunk: Chunk) => string;
  /** The number of chunks of the file. */
  total: () => Promise<number>;
}

/**
 * The same page of the chunks of several files, in the order of the text; none for a file that the caller
 * may not see.
 */
export function pageChunks(deps: Deps) {
  return {
    read: ({ fileIds, ...page }: ChunkPagesInput) => ({
      fileIds: fileIds.filter(isUuid),
      ...readPageSelection(page, parseChunkCursor, RANGES.chunkPageSize),
    }),
    async run(caller, { fileIds, ...selection }): Promise<Map<string, ChunkPage>> {
      const found = await caller.record.time('files', () =>
        readChunks(deps, caller, fileIds, selection),
      );
      const count = memoize(() => countChunks(deps, caller, fileIds));
      const pages = found.map(({ fileId, chunks }): [string, ChunkPage] => [
        fileId,
        {
          ...toPage(selection.limit, chunks ?? []),
          cursorOf: chunkCursor,
          total: async () => (await count()).get(fileId) ?? 0,
        },
      ]);
      return new Map(pages);
    },
  } satisfies UseCase<
    'pageChunks',
    ChunkPagesInput,
    PageSelection<number> & { fileIds: string[] },
    Promise<Map<string, ChunkPage>>
  >;
}

function readChunks(
  { query }: Deps,
  caller: Caller,
  fileIds: string[],
  { limit, backwards, after, before }: PageSelection<number>,
) {
  return query<{ fileId: string; chunks: Chunk[] | null }>(sql`
    SELECT file.id::text AS "fileId", (SELECT json_agg(one) FROM (
      SELECT position, content, metadata FROM chunk WHERE ${isOfFile(caller)}
        ${after === undefined ? empty : sql`AND position > ${after}`}
        ${before === undefined ? empty : sql`AND position < ${before}`}
      ORDER BY position ${raw(backwards ? 'DESC' : 'ASC')} LIMIT ${limit + 1}
    ) AS one) AS chunks
    ${fromFiles(caller, fileIds)}`);
}

async function countChunks(
  { query }: Deps,
  caller: Caller,
  fileIds: string[],
): Promise<Map<string, number>> {
  const rows = await query<{ fileId: string; count: number }>(sql`
    SELECT file.id::text AS "fileId",
      (SELECT count(*)::int FROM chunk WHERE ${isOfFile(caller)}) AS count
    ${fromFiles(caller, fileIds)}`);
  return new Map(rows.map(({ fileId, count }) => [fileId, count]));
}

function fromFiles(caller: Caller, fileIds: string[]): Prisma.Sql {
  return sql`FROM file JOIN dataset
      ON dataset.customer_key = file.customer_key AND dataset.id = file.dataset_id
    WHERE ${isVisibleFile(caller)} AND file.id = ANY(${fileIds}::uuid[])`;
}

/** A condition on a row of `chunk`: it belongs to the file, and to the index in use. */
function isOfFile({ customerKey }: Caller): Prisma.Sql {
  return sql`chunk.customer_key = ${customerKey} AND chunk.loader_key = file.loader_key
    AND chunk.dataset_key = dataset.key`;
}
