import { requirePermission, visibleDataset } from '../../core/authorize.ts';
import type { Filter } from '../../core/filter.ts';
import type { JsonObject, StoredFile } from '../../core/model.ts';
import { isUuid } from '../../core/uuid.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import { fileMetadata } from '../../sql/file-metadata.ts';
import { matchesAll } from '../../sql/filter-conditions.ts';
import type { Dependencies } from '../dependencies.ts';
import { readByHash } from '../files/duplicates.ts';
import { readStoredFiles } from '../files/file-records.ts';
import type { OnDuplicate } from '../files/read-upload.ts';
import type { Caller, DatasetCaller } from '../guard.ts';

export type IngestionStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED';

/** An asynchronous upload. */
export interface Ingestion {
  ingestionId: string;
  datasetId: string;
  status: IngestionStatus;
  /** Files to store: all that were sent except for those that are skipped. */
  fileCount: number;
  /** Files that are ingested; none can be searched before all are. */
  doneCount: number;
  error: { code: string; message: string } | null;
  created: Date;
  finished: Date | null;
  /** Counts the changes of the fields above. */
  version: number;
  /** The files that it has published and that still exist. */
  files: () => Promise<StoredFile[]>;
  /**
   * For each file that was skipped, the stored file with its content, unless that was deleted. Rejects with
   * PERMISSION_DENIED for a token that may not read files.
   */
  skipped: () => Promise<StoredFile[]>;
  /** The ids of the files that it has replaced, which no longer exist. */
  replacedFileIds: string[];
}

/** What is known of a file before it is ingested; in the column `files`. */
export interface IngestionFile {
  fileId: string;
  loaderKey: string;
  path: string;
  originalName: string;
  mimeType: string | null;
  size: number;
  contentHash: string;
  extraMeta: JsonObject | null;
  kind: FileKind;
}

/** What is done with files that the dataset already has; in the column `duplicates`. */
export interface IngestionDuplicates {
  onDuplicate: Exclude<OnDuplicate, 'KEEP_BOTH'>;
  /** The filters of the token that began it: files that do not match them are not duplicates. */
  filters: Filter[];
  /** The SHA-256 hashes of the skipped files, in hexadecimal. */
  skipped: string[];
  /** The ids of the replaced files. */
  replaced: string[];
  /** What each file costs, as an exact decimal, and the reason in the ledger; null when nobody pays. */
  price: { each: string; reason: string } | null;
}

type Row = Omit<Ingestion, 'error' | 'files' | 'skipped' | 'replacedFileIds'> & {
  errorCode: string | null;
  errorMessage: string | null;
  files: IngestionFile[];
  duplicates: IngestionDuplicates | null;
};

/** An ingestion of the customer, for a token one of its dataset with files that match its filters. */
export async function findIngestion(
  deps: Pick<Dependencies, 'query'>,
  caller: Caller,
  ingestionId: string,
): Promise<Ingestion | undefined> {
  if (!isUuid(ingestionId)) return undefined;
  const only = visibleDataset(caller.principal);
  const [row] = await deps.query<Row>(Prisma.sql`
    SELECT id AS "ingestionId", dataset_id AS "datasetId", status, file_count AS "fileCount",
      done_count AS "doneCount", error_code AS "errorCode", error_message AS "errorMessage",
      created, finished, version, files, duplicates
    FROM ingestion WHERE customer_key = ${caller.customerKey} AND id = ${ingestionId}::uuid
      ${only === undefined ? Prisma.empty : Prisma.sql`AND dataset_id = ${only}`}
      ${andFilesMatch(caller)}`);
  if (!row) return undefined;
  const { errorCode, errorMessage, files, duplicates, ...ingestion } = row;
  const inDataset = { ...caller, datasetId: row.datasetId };
  return {
    ...ingestion,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    files: () => findFiles(deps, inDataset, row),
    skipped: () => findSkipped(deps, inDataset, row),
    replacedFileIds: duplicates ? replacedFor(caller, duplicates) : [],
  };
}

/** The filters of a token match every file of an ingestion, as they match the records later. */
function andFilesMatch({ customerId, filters }: Caller): Prisma.Sql {
  if (filters.length === 0) return Prisma.empty;
  const ofFile = fileMetadata({
    fileId: Prisma.sql`file -> 'fileId'`,
    originalName: Prisma.sql`file -> 'originalName'`,
    customerId: Prisma.sql`${customerId}::text`,
    datasetId: Prisma.sql`dataset_id`,
    mimeType: Prisma.sql`file #> '{kind,mimeType}'`,
  });
  return Prisma.sql`AND NOT EXISTS (SELECT FROM (
    SELECT coalesce(nullif(file -> 'extraMeta', 'null'), '{}') || ${ofFile} AS metadata
    FROM jsonb_array_elements(files) AS file
  ) AS described WHERE NOT ${matchesAll(filters)})`;
}

async function findFiles(
  deps: Pick<Dependencies, 'query'>,
  caller: DatasetCaller,
  { status, files }: Row,
): Promise<StoredFile[]> {
  if (status !== 'COMPLETED') return [];
  const ids = files.map(({ fileId }) => fileId);
  const which = Prisma.sql`AND id = ANY (${ids}::uuid[])`;
  const found = await readStoredFiles(deps, caller, { which });
  return found.toSorted((a, b) => ids.indexOf(a.fileId) - ids.indexOf(b.fileId));
}

async function findSkipped(
  deps: Pick<Dependencies, 'query'>,
  caller: DatasetCaller,
  { status, duplicates }: Row,
): Promise<StoredFile[]> {
  const hashes = duplicates?.skipped ?? [];
  if (status !== 'COMPLETED' || hashes.length === 0) return [];
  // Others uploaded these files.
  requirePermission(caller.principal, 'READ');
  const stored = await readByHash(deps, caller, hashes);
  return hashes.flatMap((hash) => stored.get(hash) ?? []);
}

/** A caller with other filters than those of the upload may not know of the files. */
function replacedFor(caller: Caller, { filters, replaced }: IngestionDuplicates): string[] {
  const isKnown =
    caller.filters.length === 0 || JSON.stringify(caller.filters) === JSON.stringify(filters);
  return isKnown ? replaced : [];
}
