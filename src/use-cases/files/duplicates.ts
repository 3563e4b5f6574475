import { requirePermission } from '../../core/authorize.ts';
import type { StoredFile } from '../../core/model.ts';
import type { Permission } from '../../core/policy.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { isListed } from '../../sql/is-listed.ts';
import type { Dependencies } from '../dependencies.ts';
import { type DatasetCaller, OutdatedError } from '../use-case.ts';
import { hidingStatement } from './delete-intents.ts';
import { readStoredFiles, STORED_FILE, type StoredFileRow, toStoredFiles } from './file-records.ts';
import { andMatchesFilters } from './matches-filters.ts';
import type { OnDuplicate, Upload } from './read-upload.ts';
import { type FileIntent, type FileIntentRow, toFileIntent } from './remove-files.ts';
import { matchesFiles } from './staged-files.ts';

const { sql } = Prisma;

/** The files of an upload that are stored, and the copies that are skipped. */
export interface Deduplicated extends Upload {
  /** The hashes of the skipped files, in the order they were sent. */
  skippedHashes: string[];
  /**
   * The files of the dataset that they are copies of, by hash; the other skipped files are copies of files
   * of the upload.
   */
  existing: Map<string, StoredFile>;
}

/** The files to compare with: those of a dataset that match the filters. */
type Owner = Pick<DatasetCaller, 'customerKey' | 'customerId' | 'datasetId' | 'filters'>;

/** The properties of uploaded files that are compared. */
interface Compared {
  onDuplicate: OnDuplicate;
  files: { originalName: string; contentHash: string }[];
}

/**
 * The permission that a token needs in addition to `UPLOAD`: a skipped file is shown, and a replaced one
 * deleted. A replaced file is shown only to a token that may read files: see `toUploaded`.
 */
const NEEDED: Record<OnDuplicate, Permission | null> = {
  KEEP_BOTH: null,
  SKIP: 'READ',
  REPLACE: 'DELETE',
};

/**
 * Which files of an upload are to be stored: with `SKIP`, one file for each content that the dataset does
 * not have.
 */
export async function skipDuplicates(
  deps: Pick<Dependencies, 'query'>,
  caller: DatasetCaller,
  upload: Upload,
): Promise<Deduplicated> {
  const permission = NEEDED[upload.onDuplicate];
  if (permission) requirePermission(caller.principal, permission);
  if (upload.onDuplicate !== 'SKIP') return { ...upload, skippedHashes: [], existing: new Map() };
  const hashes = upload.files.map(({ contentHash }) => contentHash);
  const existing = await readByHash(deps, caller, hashes);
  const known = new Set(existing.keys());
  const skippedHashes: string[] = [];
  const files = upload.files.filter(({ contentHash }) => {
    if (known.has(contentHash)) skippedHashes.push(contentHash);
    const isNew = !known.has(contentHash);
    known.add(contentHash);
    return isNew;
  });
  return { ...upload, files, skippedHashes, existing };
}

/** The caller's files in a dataset with these contents, by hash; the oldest if there are several. */
export async function readByHash(
  deps: Pick<Dependencies, 'query'>,
  caller: DatasetCaller,
  hashes: string[],
): Promise<Map<string, StoredFile>> {
  const which = sql`AND ${hasHash(hashes)} ORDER BY created DESC, id DESC`;
  const found = await readStoredFiles(deps, caller, { which });
  return new Map(found.map((file) => [file.contentHash ?? '', file]));
}

/** The files that were skipped, as they are stored. */
export function skippedFiles(
  { skippedHashes, existing }: Deduplicated,
  stored: StoredFile[],
): StoredFile[] {
  return skippedHashes.flatMap(
    (hash) => existing.get(hash) ?? stored.find(({ contentHash }) => contentHash === hash) ?? [],
  );
}

/** Files that are replaced by those of an upload. */
export interface Replaced {
  files: StoredFile[];
  intents: FileIntent[];
}

/**
 * Handles duplicates that were added while an upload was ingested, and files to replace, in the
 * transaction that publishes the upload and locks its dataset: replaced files are hidden from its
 * commit on.
 *
 * @throws OutdatedError when a file of the upload must be skipped after all
 */
export async function resolveDuplicates(
  { storage }: Pick<Dependencies, 'storage'>,
  tx: Prisma.TransactionClient,
  owner: Owner,
  upload: Compared,
): Promise<Replaced> {
  const { customerKey } = owner;
  if (upload.onDuplicate === 'SKIP') {
    const found = await tx.$queryRaw<unknown[]>(storedHashes(owner, upload));
    if (found.length > 0) throw new OutdatedError();
  }
  if (upload.onDuplicate !== 'REPLACE') return { files: [], intents: [] };
  const names = upload.files.map(({ originalName }) => originalName);
  const rows = await tx.$queryRaw<FileIntentRow[]>(
    hidingStatement(
      { storage },
      sql`${isInDataset(owner)} AND original_name = ANY (${names}::text[])`,
    ),
  );
  const intents = rows.map(toFileIntent);
  const replaced = await tx.$queryRaw<StoredFileRow[]>`
    SELECT ${STORED_FILE} FROM file WHERE ${matchesFiles(customerKey, intents)}
    ORDER BY created DESC, id DESC`;
  return { files: toStoredFiles(owner, replaced), intents };
}

/** A statement that selects the hashes of the files of an upload that the dataset already has. */
export function storedHashes(owner: Owner, { files }: Pick<Compared, 'files'>): Prisma.Sql {
  const hashes = files.map(({ contentHash }) => contentHash);
  return sql`
    SELECT DISTINCT encode(content_hash, 'hex') AS hash FROM file
    WHERE ${isInDataset(owner)} AND ${hasHash(hashes)} AND ${isListed(owner.customerKey)}`;
}

function isInDataset(owner: Owner): Prisma.Sql {
  return sql`file.customer_key = ${owner.customerKey} AND dataset_id = ${owner.datasetId}
    ${andMatchesFilters(owner, owner.filters)}`;
}

function hasHash(hashes: string[]): Prisma.Sql {
  return sql`content_hash = ANY (${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`;
}
