import type { Pool } from 'pg';
import type { FileMetadata } from '../../core/chunk-metadata.ts';
import { isUuid } from '../../core/uuid.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Query } from '../../ports/query.ts';
import { fileMetadata } from '../../sql/file-metadata.ts';
import { isListed } from '../../sql/is-listed.ts';
import { withConnection } from '../postgres/with-connection.ts';
import type { ChunkRows, Connection, NewChunk } from './chunk-rows.ts';
import type { DatasetScope } from './dataset-filter.ts';

const { empty, sql } = Prisma;

/** A chunk that comes after the last one of its file. */
export type AddedChunk = Omit<NewChunk, 'position'>;

/** A file of the dataset, and the metadata about it in each of its chunks. */
interface ChunkFile {
  loaderKey: string;
  metadata: FileMetadata;
}

/**
 * Adds chunks to the files of a dataset that `metadata.fileId` names: all of them, or none.
 *
 * @throws Error when a chunk names no file of the dataset
 */
export async function addToFiles(
  pool: Pool,
  rows: ChunkRows,
  scope: DatasetScope,
  chunks: AddedChunk[],
): Promise<void> {
  const byFile = Map.groupBy(chunks, fileIdOf);
  await withConnection(pool, async (client) => {
    const query: Query = async (statement) => (await client.query(statement)).rows;
    await client.query('BEGIN');
    // Deletions of the files, and a switch to another embedding model, wait until this ends.
    const files = await findFiles(client, scope, byFile.keys(), { lock: true });
    const positions = await nextPositions(client, scope, [...files.values()]);
    for (const [fileId, ofFile] of byFile) {
      const { loaderKey, metadata } = files.get(fileId) as ChunkFile;
      const first = positions.get(loaderKey);
      if (first === undefined) throw noSuchFile(fileId);
      const placed = ofFile.map((chunk, at) => ({
        ...chunk,
        position: first + at,
        metadata: { ...chunk.metadata, ...metadata },
      }));
      await rows.add(query, { ...scope, loaderKey: BigInt(loaderKey) }, placed);
    }
    await client.query('COMMIT');
  });
}

/**
 * The metadata of the file that each of these names, in their order.
 *
 * @throws Error when one names no file of the dataset
 */
export async function findFileMetadata(
  pool: Pool,
  scope: DatasetScope,
  named: Pick<AddedChunk, 'metadata'>[],
): Promise<FileMetadata[]> {
  const fileIds = named.map(fileIdOf);
  const files = await findFiles(pool, scope, fileIds);
  return fileIds.map((fileId) => (files.get(fileId) as ChunkFile).metadata);
}

function fileIdOf({ metadata }: Pick<AddedChunk, 'metadata'>): string {
  const { fileId } = metadata;
  if (typeof fileId !== 'string' || !isUuid(fileId)) {
    throw new Error('A document is added to a file: its metadata.fileId must be the id of one.');
  }
  return fileId.toLowerCase();
}

/** @returns all of these files by their ids */
async function findFiles(
  connection: Connection,
  { customerKey, datasetKey }: DatasetScope,
  fileIds: Iterable<string>,
  { lock = false } = {},
): Promise<Map<string, ChunkFile>> {
  const wanted = [...new Set(fileIds)];
  const metadata = fileMetadata({
    fileId: sql`file.id`,
    originalName: sql`original_name`,
    customerId: sql`customer.id`,
    datasetId: sql`dataset.id`,
    mimeType: sql`coalesce(mime_type, 'application/octet-stream')`,
  });
  // Whoever deletes a file takes a weaker lock on it first. The order prevents deadlocks.
  const { text, values } = sql`
    SELECT loader_key::text AS "loaderKey", ${metadata} AS metadata
    FROM file
    JOIN dataset ON dataset.customer_key = file.customer_key AND dataset.id = file.dataset_id
    JOIN customer ON customer.key = file.customer_key
    WHERE file.customer_key = ${customerKey} AND dataset.key = ${datasetKey}
      AND file.id = ANY (${wanted}::uuid[])
    ORDER BY loader_key ${lock ? sql`FOR KEY SHARE OF dataset FOR UPDATE OF file` : empty}`;
  const { rows } = await connection.query<ChunkFile>({ text, values });
  const found = new Map(rows.map((row) => [row.metadata.fileId, row]));
  for (const fileId of wanted) if (!found.has(fileId)) throw noSuchFile(fileId);
  return found;
}

/**
 * By loader key; files that are being deleted are left out. A separate statement, which sees the changes
 * that the lock waited for.
 */
async function nextPositions(
  connection: Connection,
  { customerKey, datasetKey }: DatasetScope,
  files: ChunkFile[],
): Promise<Map<string, number>> {
  const { text, values } = sql`
    SELECT loader_key::text AS "loaderKey", 1 + coalesce((
      SELECT max(position) FROM chunk WHERE chunk.customer_key = file.customer_key
        AND chunk.loader_key = file.loader_key AND chunk.dataset_key = ${datasetKey}), -1) AS next
    FROM file
    WHERE customer_key = ${customerKey}
      AND loader_key = ANY (${files.map(({ loaderKey }) => loaderKey)}::bigint[])
      AND ${isListed(customerKey)}`;
  const { rows } = await connection.query<{ loaderKey: string; next: number }>({ text, values });
  return new Map(rows.map(({ loaderKey, next }) => [loaderKey, next]));
}

function noSuchFile(fileId: string): Error {
  return new Error(`There is no file ${fileId} in the dataset.`);
}
