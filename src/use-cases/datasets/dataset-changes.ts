import { parseChangeCursor } from '../../core/cursor.ts';
import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import { readStoredFiles } from '../files/file-records.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { readCursor } from '../input.ts';
import type { Subscriptions } from '../subscriptions.ts';

/** What happened to a dataset. */
type Happening =
  /** From here on, changes are reported. */
  | { type: 'watched' }
  | { type: 'added'; file: StoredFile }
  | { type: 'removed'; fileId: string }
  /** Too many changes to report one by one, or changes that are no longer recorded. */
  | { type: 'many' };

export type DatasetEvent = Happening & {
  datasetId: string;
  /** The version of the dataset after it. */
  version: number;
};

export interface DatasetChangesInput {
  /** The cursor of an event: only later changes; by default changes from now on. */
  after?: unknown;
}

type Deps = Pick<Dependencies, 'query'>;

/** A row of `dataset_change`. */
interface Change {
  version: number;
  kind: 'added' | 'removed' | 'many';
  fileId: string | null;
}

/** Changes that are read at once. */
const BATCH = 100;

/**
 * The files added to and removed from a dataset, through any gateway, in the order of their
 * transactions. None is missed: changes that are too old to be still recorded are reported as `many`.
 */
export function datasetChanges(deps: Deps & { subscriptions: Subscriptions }) {
  return {
    read: ({ after }: DatasetChangesInput) => readCursor(after, parseChangeCursor),

    run(caller, after): AsyncGenerator<DatasetEvent, void, undefined> {
      let seen = after;
      let isWatched = false;
      const { datasetId } = caller;

      return deps.subscriptions.subscribe(caller, async () => {
        const { latest, changes } = await readChanges(deps, caller, seen);
        const start = seen ?? latest;
        const events = await toEvents(deps, caller, changes);
        if (!isWatched) events.unshift({ type: 'watched', version: start });
        isWatched = true;
        seen = changes.at(-1)?.version ?? start;
        return {
          events: events.map((event) => ({ ...event, datasetId })),
          next: seen < latest ? 'more' : 'wait',
        };
      });
    },
  } satisfies UseCase<
    'datasetChanged',
    DatasetChangesInput,
    number | undefined,
    AsyncIterable<DatasetEvent>
  >;
}

/** The next changes after a version, and the latest version; only that if `after` is not given. */
async function readChanges(
  { query }: Deps,
  { customerKey, datasetId }: DatasetCaller,
  after: number | undefined,
): Promise<{ latest: number; changes: Change[] }> {
  const rows = await query<{ latest: number } & (Change | Record<keyof Change, null>)>(Prisma.sql`
    SELECT dataset.version AS latest, change.version, change.kind, change.file_id AS "fileId"
    FROM dataset LEFT JOIN LATERAL (
      SELECT version, kind, file_id FROM dataset_change
      WHERE customer_key = ${customerKey} AND dataset_id = ${datasetId}
        AND version > ${after ?? null}::int
      ORDER BY version LIMIT ${BATCH}
    ) AS change ON true
    WHERE dataset.customer_key = ${customerKey} AND dataset.id = ${datasetId}
    ORDER BY change.version`);
  // Nothing was uploaded yet.
  const latest = rows[0]?.latest ?? 0;
  if (after === undefined || after === latest) return { latest, changes: [] };
  const changes = rows.filter((row) => row.version !== null);
  const isComplete = changes[0]?.version === after + 1;
  return {
    latest,
    changes: isComplete ? changes : [{ version: latest, kind: 'many', fileId: null }],
  };
}

/** A file that was removed since, or that the caller may not see, is not reported as added. */
async function toEvents(
  deps: Deps,
  caller: DatasetCaller,
  changes: Change[],
): Promise<(Happening & { version: number })[]> {
  const added = changes.flatMap(({ kind, fileId }) => (kind === 'added' && fileId ? [fileId] : []));
  const which = Prisma.sql`AND id = ANY (${added}::uuid[])`;
  const found = added.length > 0 ? await readStoredFiles(deps, caller, { which }) : [];
  const files = new Map(found.map((file) => [file.fileId, file]));
  return changes.flatMap(({ version, kind, fileId }): (Happening & { version: number })[] => {
    // It is no longer known whether the caller could see a file that was removed.
    const isUnclear = kind === 'removed' && caller.filters.length > 0;
    if (kind === 'many' || isUnclear || fileId === null) return [{ type: 'many', version }];
    if (kind === 'removed') return [{ type: 'removed', version, fileId }];
    const file = files.get(fileId);
    return file ? [{ type: 'added', version, file }] : [];
  });
}
