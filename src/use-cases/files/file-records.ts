import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller } from '../guard.ts';
import { isListed } from './delete-intents.ts';

type Deps = Pick<Dependencies, 'query'>;

/**
 * Reads records of the caller's files in a dataset.
 *
 * @param which further conditions, and the order
 */
export async function readStoredFiles(
  deps: Deps,
  caller: DatasetCaller,
  which: Prisma.Sql,
): Promise<StoredFile[]> {
  const url = Prisma.sql`, permanent_url AS "permanentUrl"`;
  const texts = await readTexts(deps, caller, { url, which });
  return texts.map((text) => JSON.parse(text));
}

/**
 * The same as JSON, without the signed URL: sending a long list as PostgreSQL wrote it takes a third
 * of the time of parsing and writing it again.
 */
export function readFilesAsJson(
  deps: Deps,
  caller: DatasetCaller,
  which: Prisma.Sql,
): Promise<string[]> {
  return readTexts(deps, caller, { url: Prisma.empty, which });
}

/** The number of files in the caller's dataset. */
export async function countFiles(
  { query }: Deps,
  { customerKey, datasetId }: DatasetCaller,
): Promise<number> {
  const [row] = await query<{ count: number }>(Prisma.sql`
    SELECT count(*)::int AS count FROM file
    WHERE customer_key = ${customerKey} AND dataset_id = ${datasetId} AND ${isListed(customerKey)}`);
  return row?.count ?? 0;
}

/** The same fields in the same order as `toStoredFile`. `jsonb` does not keep the order of subtitle fields. */
async function readTexts(
  { query }: Deps,
  { customerKey, customerId, datasetId }: DatasetCaller,
  { url, which }: { url: Prisma.Sql; which: Prisma.Sql },
): Promise<string[]> {
  const rows = await query<{ file: string }>(Prisma.sql`
    SELECT row_to_json(file)::text AS file FROM (
      SELECT ${customerId} AS "customerId", dataset_id AS "datasetId", id AS "fileId",
        path AS "filePath", original_name AS "originalName", mime_type AS "mimeType", size,
        lpad(to_hex(loader_key), 16, '0') AS "loaderId",
        to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created, extension,
        transcription_text AS "transcriptionText", CASE WHEN transcription_srt IS NOT NULL THEN
          (SELECT coalesce(json_agg(entry), '[]') FROM jsonb_to_recordset(transcription_srt)
            AS entry(id text, "startTime" text, "endTime" text, text text))
        END AS "transcriptionSrt", extra_meta AS "extraMeta" ${url}
      FROM file WHERE customer_key = ${customerKey} AND dataset_id = ${datasetId}
        AND ${isListed(customerKey)} ${which}
    ) AS file`);
  return rows.map(({ file }) => file);
}
