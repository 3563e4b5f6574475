import { visibleDataset } from '../../core/authorize.ts';
import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { isListed } from '../../sql/is-listed.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller, DatasetCaller } from '../guard.ts';
import { andMatchesFilters } from './matches-filters.ts';

const { empty, sql } = Prisma;

type Deps = Pick<Dependencies, 'query'>;

/** Which records are read, and what of them. */
export interface FileSelection {
  /** Further conditions, and the order. */
  which: Prisma.Sql;
  /** Default: true. Transcripts can be long: where nobody asks for them, they are null. */
  transcripts?: boolean | undefined;
}

/** Reads records of the caller's files in a dataset. */
export async function readStoredFiles(
  deps: Deps,
  caller: DatasetCaller,
  { which, transcripts }: FileSelection,
): Promise<StoredFile[]> {
  const texts = await readTexts(deps, caller, { fields: storedFields(transcripts), which });
  return texts.map((text) => JSON.parse(text));
}

/**
 * The same as JSON, without the signed URL and the hash: sending a long list as PostgreSQL wrote it takes a
 * third of the time of parsing and serializing it again.
 */
export function readFilesAsJson(
  deps: Deps,
  caller: DatasetCaller,
  which: Prisma.Sql,
): Promise<string[]> {
  return readTexts(deps, caller, { fields: SHOWN, which });
}

/**
 * Reads records of the files in several datasets, in one statement.
 *
 * @param selection.which also the limit in each dataset
 * @returns the files by dataset id
 */
export async function readFilesByDataset(
  { query }: Deps,
  caller: Caller,
  { datasetIds, which, transcripts }: FileSelection & { datasetIds: string[] },
): Promise<Map<string, StoredFile[]>> {
  const files = sql`SELECT ${columns(caller, storedFields(transcripts))} FROM file
    WHERE ${isVisibleFile(caller)} AND dataset_id = wanted.id ${which}`;
  const rows = await query<{ id: string; files: StoredFile[] }>(sql`
    SELECT wanted.id, (SELECT json_agg(file) FROM (${files}) AS file) AS files
    FROM unnest(${datasetIds}::text[]) AS wanted(id)`);
  return new Map(rows.map(({ id, files }) => [id, files ?? []]));
}

/** Files by their ids, which are UUIDs. */
export interface WantedFiles extends Pick<FileSelection, 'transcripts'> {
  fileIds: string[];
}

/** Reads the files with these ids, in any dataset and in no order. */
export async function readFilesById(
  { query }: Deps,
  caller: Caller,
  { fileIds, transcripts }: WantedFiles,
): Promise<StoredFile[]> {
  const rows = await query<StoredFileRow>(sql`
    SELECT ${storedFile(transcripts)} FROM file
    WHERE ${isVisibleFile(caller)} AND id = ANY(${fileIds}::uuid[])`);
  return toStoredFiles(caller, rows);
}

/**
 * The number of files in each of several datasets that meet further conditions; datasets without such files
 * are missing.
 */
export async function countFiles(
  { query }: Deps,
  caller: Caller,
  { datasetIds, where }: { datasetIds: string[]; where: Prisma.Sql },
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; count: number }>(sql`
    SELECT dataset_id AS id, count(*)::int AS count FROM file
    WHERE ${isVisibleFile(caller)} AND dataset_id = ANY(${datasetIds}::text[]) ${where}
    GROUP BY dataset_id`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** A condition on a row of `file`: the caller may see it. */
export function isVisibleFile(caller: Caller): Prisma.Sql {
  const { customerKey, principal, filters } = caller;
  const only = visibleDataset(principal);
  return sql`file.customer_key = ${customerKey} AND ${isListed(customerKey)}
    ${only === undefined ? empty : sql`AND file.dataset_id = ${only}`} ${andMatchesFilters(caller, filters)}`;
}

async function readTexts(
  { query }: Deps,
  caller: DatasetCaller,
  { fields, which }: { fields: Prisma.Sql; which: Prisma.Sql },
): Promise<string[]> {
  // The subquery hides the dataset from the planner, as in `pageOfFiles`.
  const rows = await query<{ file: string }>(sql`
    SELECT row_to_json(file)::text AS file FROM (
      SELECT ${columns(caller, fields)} FROM file
      WHERE ${isVisibleFile(caller)} AND dataset_id = (SELECT ${caller.datasetId}::text) ${which}
    ) AS file`);
  return rows.map(({ file }) => file);
}

/** `jsonb` does not keep the order of subtitle fields. */
const TRANSCRIPT = sql`
  transcription_text AS "transcriptionText", CASE WHEN transcription_srt IS NOT NULL THEN
    (SELECT coalesce(json_agg(entry), '[]') FROM jsonb_to_recordset(transcription_srt)
      AS entry(id text, "startTime" text, "endTime" text, text text))
  END AS "transcriptionSrt"`;

const NO_TRANSCRIPT = sql`NULL AS "transcriptionText", NULL AS "transcriptionSrt"`;

/** The fields of a record that REST shows, but `customerId`. */
const shownFields = (transcript: Prisma.Sql) => sql`
  dataset_id AS "datasetId", id AS "fileId",
  path AS "filePath", original_name AS "originalName", mime_type AS "mimeType", size,
  lpad(to_hex(loader_key), 16, '0') AS "loaderId",
  to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created, extension,
  ${transcript}, extra_meta AS "extraMeta"`;

/** All fields of a record but `customerId`. */
const allFields = (transcript: Prisma.Sql) => sql`
  ${shownFields(transcript)}, permanent_url AS "permanentUrl", encode(content_hash, 'hex') AS "contentHash"`;

const SHOWN = shownFields(TRANSCRIPT);
const STORED = allFields(TRANSCRIPT);
const STORED_WITHOUT_TRANSCRIPT = allFields(NO_TRANSCRIPT);

function storedFields(transcripts = true): Prisma.Sql {
  return transcripts ? STORED : STORED_WITHOUT_TRANSCRIPT;
}

function columns({ customerId }: Pick<Caller, 'customerId'>, fields: Prisma.Sql): Prisma.Sql {
  return sql`${customerId} AS "customerId", ${fields}`;
}

/** A row of `STORED_FILE`. */
export interface StoredFileRow {
  file: Omit<StoredFile, 'customerId'>;
}

/**
 * Selects a row of `file` as a column `file`: a `StoredFile` but for `customerId`, because Citus takes no
 * parameter after RETURNING.
 */
export const STORED_FILE = storedFile();

function storedFile(transcripts?: boolean): Prisma.Sql {
  return sql`(SELECT row_to_json(stored) FROM (SELECT ${storedFields(transcripts)}) AS stored) AS file`;
}

export function toStoredFiles(
  { customerId }: Pick<Caller, 'customerId'>,
  rows: StoredFileRow[],
): StoredFile[] {
  return rows.map(({ file }) => ({ customerId, ...file }));
}
