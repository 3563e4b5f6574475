import type { Pool } from 'pg';
import { createFilterHasher } from '../../src/adapters/vectors/filter-hashes.ts';
import type { VectorEncoding } from '../../src/adapters/vectors/vector-encoding.ts';
import type { Chunk } from '../../src/core/model.ts';

/* The version before chunks had rows in `chunk_index`. */

/** Its migrations have lower names. */
export const FIRST_INDEX_MIGRATION = '20261121000010';

/** Adds a file's chunks by the statement of that version. */
export async function addAsBefore(
  { pool, encoding }: { pool: Pool; encoding: VectorEncoding },
  { customerKey, datasetKey, loaderKey }: AddedFile,
  chunks: Chunk[],
  vectors: Float32Array[],
): Promise<void> {
  const hashesOf = createFilterHasher(datasetKey);
  await pool.query(
    `WITH added AS (
      INSERT INTO chunk (customer_key, dataset_key, loader_key, position,
        content, metadata, tokens, embedding)
      SELECT $1, $2, $3, position, content, metadata::jsonb, tokens::bigint[], embedding
      FROM unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::${encoding.type}[])
        AS new(position, content, metadata, tokens, embedding)
      ON CONFLICT DO NOTHING
      RETURNING 1
    )
    UPDATE dataset SET chunk_count = chunk_count + (SELECT count(*) FROM added)
    WHERE customer_key = $1 AND key = $2`,
    [
      customerKey,
      datasetKey,
      loaderKey,
      chunks.map(({ position }) => position),
      chunks.map(({ content }) => content),
      chunks.map(({ metadata }) => JSON.stringify(metadata)),
      chunks.map(({ metadata }) => `{${hashesOf(metadata)}}`),
      encoding.many(vectors),
    ],
  );
}

/** Where the chunks of a file belong. */
interface AddedFile {
  customerKey: number;
  datasetKey: number;
  loaderKey: bigint;
}
