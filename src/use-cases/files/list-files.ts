import { visibleDatasets } from '../../core/authorize.ts';
import { type FilePosition, fileCursor, filePosition, parseFileCursor } from '../../core/cursor.ts';
import { type FileOrder, NEWEST_FIRST } from '../../core/file-order.ts';
import { RANGES } from '../../core/limits.ts';
import { memoize } from '../../core/memoize.ts';
import type { StoredFile } from '../../core/model.ts';
import { createReadDatasets } from '../datasets/read-datasets.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { type Page, readPage, readPages, toPage } from '../keyset.ts';
import { type PageInput, type PageSelection, readPageSelection } from '../page-input.ts';
import { andMeets, type FileConditions, readFileConditions } from './file-conditions.ts';
import {
  countFiles,
  readFilesAsJson,
  readFilesByDataset,
  readStoredFiles,
} from './file-records.ts';
import { pageOfFiles } from './page-of-files.ts';

type Deps = Pick<Dependencies, 'query' | 'replica'>;

/** All files in a dataset, newest first, in pages as they are read; each file as JSON. */
export function listFiles(deps: Deps) {
  const readDatasets = createReadDatasets(deps);
  return {
    read: () => undefined,
    run: pages,
  } satisfies UseCase<'listFiles', object, undefined, AsyncIterable<string[]>>;

  function pages(caller: DatasetCaller): AsyncGenerator<string[], void, undefined> {
    const limit = RANGES.pageSize.max;
    return readPages(limit, (last: string | undefined) => {
      const after = last === undefined ? last : filePosition(JSON.parse(last), NEWEST_FIRST);
      const which = pageOfFiles({ limit, after });
      return caller.record.time('files', () =>
        readDatasets(caller, [caller.datasetId], (from) => readFilesAsJson(from, caller, which)),
      );
    });
  }
}

export interface FilePageInput extends PageInput {
  /** Conditions, all of which must be met; see `FileConditions`. */
  where?: unknown;
  /** Default: newest first. */
  order?: FileOrder | undefined;
  /** Whether transcripts are read; otherwise they are null. Default: true. */
  transcripts?: boolean | undefined;
}

/** A page of the files in a dataset that meet the conditions, in the direction of reading. */
export interface FilePage extends Page<StoredFile> {
  cursorOf: (file: StoredFile) => string;
  /** The number of files in the dataset that meet the conditions. */
  total: () => Promise<number>;
}

interface Selection extends PageSelection<FilePosition>, Pick<FilePageInput, 'transcripts'> {
  order: FileOrder;
  conditions: FileConditions | undefined;
}

/** One page of the files in a dataset. */
export function pageFiles(deps: Deps) {
  const readDatasets = createReadDatasets(deps);
  return {
    read: readFilePageInput,
    async run(caller, selection): Promise<FilePage> {
      const { limit, order, conditions, transcripts } = selection;
      const { datasetId } = caller;
      const where = andMeets(caller, conditions);
      const page = await readPage(limit, (rows) => {
        const which = pageOfFiles({ ...selection, where, limit: rows });
        return caller.record.time('files', () =>
          readDatasets(caller, [datasetId], (from) =>
            readStoredFiles(from, caller, { which, transcripts }),
          ),
        );
      });
      const datasetIds = [datasetId];
      const count = memoize(() =>
        readDatasets(caller, datasetIds, (from) => countFiles(from, caller, { datasetIds, where })),
      );
      return toFilePage(page, datasetId, order, count);
    },
  } satisfies UseCase<'pageFiles', FilePageInput, Selection, Promise<FilePage>>;
}

export interface FilePagesInput extends FilePageInput {
  datasetIds: readonly string[];
}

/** The same page of the files in several datasets; none for a dataset that the caller may not see. */
export function pageFilesOfDatasets(deps: Deps) {
  const readDatasets = createReadDatasets(deps);
  return {
    read: ({ datasetIds, ...input }: FilePagesInput) => ({
      datasetIds,
      ...readFilePageInput(input),
    }),
    async run(caller, { datasetIds: named, ...selection }): Promise<Map<string, FilePage>> {
      const { limit, order, conditions, transcripts } = selection;
      const datasetIds = visibleDatasets(caller.principal, named);
      const where = andMeets(caller, conditions);
      const which = pageOfFiles({ ...selection, where, limit: limit + 1 });
      const found = await caller.record.time('files', () =>
        readDatasets(caller, datasetIds, (from) =>
          readFilesByDataset(from, caller, { datasetIds, which, transcripts }),
        ),
      );
      const count = memoize(() =>
        readDatasets(caller, datasetIds, (from) => countFiles(from, caller, { datasetIds, where })),
      );
      const pages = [...found].map(
        ([id, files]) => [id, toFilePage(toPage(limit, files), id, order, count)] as const,
      );
      return new Map(pages);
    },
  } satisfies UseCase<
    'pageFilesOfDatasets',
    FilePagesInput,
    Selection & Pick<FilePagesInput, 'datasetIds'>,
    Promise<Map<string, FilePage>>
  >;
}

function readFilePageInput({
  where,
  order = NEWEST_FIRST,
  transcripts,
  ...page
}: FilePageInput): Selection {
  return {
    ...readPageSelection(page, (cursor) => parseFileCursor(cursor, order)),
    order,
    transcripts,
    conditions: readFileConditions(where),
  };
}

function toFilePage(
  page: Page<StoredFile>,
  datasetId: string,
  order: FileOrder,
  count: () => Promise<Map<string, number>>,
): FilePage {
  return {
    ...page,
    cursorOf: (file) => fileCursor(file, order),
    total: async () => (await count()).get(datasetId) ?? 0,
  };
}
