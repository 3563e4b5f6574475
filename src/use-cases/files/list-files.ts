import { z } from 'zod';
import { fileCursor, type Place, parseCursor, placeOf } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import { memoize } from '../../core/memoize.ts';
import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { readInput, readWholeNumber } from '../input.ts';
import { countFiles, readFilesAsJson, readStoredFiles } from './file-records.ts';

/** All files of a dataset, newest first, page by page as they are read; each as JSON. */
export function listFiles(deps: Pick<Dependencies, 'query'>) {
  return {
    read: () => undefined,
    run: pages,
  } satisfies UseCase<'listFiles', object, undefined, AsyncIterable<string[]>>;

  async function* pages(caller: DatasetCaller): AsyncGenerator<string[]> {
    const limit = RANGES.pageSize.max;
    let after: Place | undefined;
    do {
      // One more than a page tells whether another follows.
      const which = pageOf({ limit: limit + 1, after });
      const files = await caller.record.time('files', () => readFilesAsJson(deps, caller, which));
      const more = files.length > limit;
      if (more) files.pop();
      const last = files.at(-1);
      if (!last) return;
      yield files;
      after = more ? placeOf(JSON.parse(last)) : undefined;
    } while (after);
  }
}

export interface PageInput {
  /** Files a page, 1 to 1000; 100 unless given. */
  limit?: unknown;
  /** Only what comes after this cursor. */
  after?: unknown;
  /** Only what comes before this cursor. */
  before?: unknown;
  /** Take the page from the end of the list instead, and in its order: oldest first. */
  backwards?: boolean;
}

export interface FilePage {
  files: StoredFile[];
  /** The cursor after which the list goes on; null at its end. */
  nextCursor: string | null;
  /** How many files the dataset has. */
  total: () => Promise<number>;
}

/** One page of a dataset's files. */
export function pageFiles(deps: Pick<Dependencies, 'query'>) {
  return {
    read: (input: PageInput) => ({
      limit: readWholeNumber(input.limit, 'limit', RANGES.pageSize),
      after: readCursor(input.after),
      before: readCursor(input.before),
      backwards: input.backwards ?? false,
    }),

    async run(caller, page): Promise<FilePage> {
      const which = pageOf({ ...page, limit: page.limit + 1 });
      const files = await caller.record.time('files', () => readStoredFiles(deps, caller, which));
      const more = files.length > page.limit;
      if (more) files.pop();
      const last = files.at(-1);
      return {
        files,
        nextCursor: more && last ? fileCursor(last) : null,
        total: memoize(() => countFiles(deps, caller)),
      };
    },
  } satisfies UseCase<'pageFiles', PageInput, Page, Promise<FilePage>>;
}

const cursor = z.string('cursor must be a string');

function readCursor(value: unknown): Place | undefined {
  if (value === undefined || value === null) return undefined;
  return parseCursor(readInput(cursor, value));
}

interface Page {
  limit: number;
  after?: Place | undefined;
  before?: Place | undefined;
  backwards?: boolean;
}

function pageOf({ limit, after, before, backwards }: Page): Prisma.Sql {
  const { sql, raw } = Prisma;
  const order = raw(backwards ? 'ASC' : 'DESC');
  return sql`
    ${after ? sql`AND (created, id) < ${placed(after)}` : Prisma.empty}
    ${before ? sql`AND (created, id) > ${placed(before)}` : Prisma.empty}
    ORDER BY file.created ${order}, file.id ${order} LIMIT ${limit}`;
}

function placed({ created, id }: Place): Prisma.Sql {
  return Prisma.sql`(${created.toISOString()}::timestamptz, ${id}::uuid)`;
}
