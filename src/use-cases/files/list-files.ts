import { type FilePosition, fileCursor, parseFileCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import { memoize } from '../../core/memoize.ts';
import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { readCursor, readWholeNumber } from '../input.ts';
import { readPage, readPages } from '../keyset.ts';
import { countFiles, readFilesAsJson, readStoredFiles } from './file-records.ts';

/** All files in a dataset, newest first, in pages as they are read; each file as JSON. */
export function listFiles(deps: Pick<Dependencies, 'query'>) {
  return {
    read: () => undefined,
    run: pages,
  } satisfies UseCase<'listFiles', object, undefined, AsyncIterable<string[]>>;

  function pages(caller: DatasetCaller): AsyncGenerator<string[], void, undefined> {
    const limit = RANGES.pageSize.max;
    return readPages(limit, (last: string | undefined) => {
      const which = pageOf({ limit, after: last === undefined ? undefined : JSON.parse(last) });
      return caller.record.time('files', () => readFilesAsJson(deps, caller, which));
    });
  }
}

export interface PageInput {
  /** The size of the page; see `RANGES`. */
  limit?: unknown;
  /** A cursor: only files after it. */
  after?: unknown;
  /** A cursor: only files before it. */
  before?: unknown;
  /** Read the page from the end of the list, oldest first. */
  backwards?: boolean;
}

export interface FilePage {
  files: StoredFile[];
  /** The cursor of the next page; null at the end of the list. */
  nextCursor: string | null;
  /** The number of files in the dataset. */
  total: () => Promise<number>;
}

/** One page of the files in a dataset. */
export function pageFiles(deps: Pick<Dependencies, 'query'>) {
  return {
    read: (input: PageInput) => ({
      limit: readWholeNumber(input.limit, 'limit', RANGES.pageSize),
      after: readCursor(input.after, parseFileCursor),
      before: readCursor(input.before, parseFileCursor),
      backwards: input.backwards ?? false,
    }),

    async run(caller, selection): Promise<FilePage> {
      const page = await readPage(selection.limit, (limit) => {
        const which = pageOf({ ...selection, limit });
        return caller.record.time('files', () => readStoredFiles(deps, caller, which));
      });
      const last = page.items.at(-1);
      return {
        files: page.items,
        nextCursor: page.more && last ? fileCursor(last) : null,
        total: memoize(() => countFiles(deps, caller)),
      };
    },
  } satisfies UseCase<'pageFiles', PageInput, Selection, Promise<FilePage>>;
}

interface Selection {
  limit: number;
  after?: FilePosition | undefined;
  before?: FilePosition | undefined;
  backwards?: boolean;
}

function pageOf({ limit, after, before, backwards }: Selection): Prisma.Sql {
  const { sql, raw } = Prisma;
  const order = raw(backwards ? 'ASC' : 'DESC');
  return sql`
    ${after ? sql`AND (created, id) < ${placed(after)}` : Prisma.empty}
    ${before ? sql`AND (created, id) > ${placed(before)}` : Prisma.empty}
    ORDER BY file.created ${order}, file.id ${order} LIMIT ${limit}`;
}

function placed({ created, fileId }: FilePosition): Prisma.Sql {
  return Prisma.sql`(${created}::timestamptz, ${fileId}::uuid)`;
}
