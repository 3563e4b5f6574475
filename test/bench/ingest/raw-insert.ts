import pMap from 'p-map';
import type { Pool } from 'pg';
import { createFilterHasher } from '../../../src/adapters/vectors/filter-hashes.ts';
import { readVectorEncoding } from '../../../src/adapters/vectors/vector-encoding.ts';
import type { Chunk } from '../../../src/core/model.ts';
import type { Vector } from '../../../src/ports/language-model.ts';

/** Chunks and their vectors. */
export type Rows = { chunk: Chunk; vector: Vector }[];

export const ROWS_A_STATEMENT = 500;
/** As many as an upload of one file uses. */
export const STATEMENTS_AT_ONCE = 3;

/**
 * Inserts rows into the table of the chunks, and does nothing else: all parameters are ready, as
 * they go over the wire, before it begins. What no way of taking a text in can beat.
 */
export async function createRawInsert(
  pool: Pool,
  { customerKey, datasetKey }: { customerKey: number; datasetKey: number },
  rows: Rows,
): Promise<() => Promise<unknown>> {
  const encoding = await readVectorEncoding(pool);
  const hashesOf = createFilterHasher(datasetKey);
  const text = `
    INSERT INTO chunk (customer_key, dataset_key, loader_key, position,
      content, metadata, tokens, embedding)
    SELECT $1, $2, 1, position, content, metadata::jsonb, tokens::bigint[], embedding
    FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::${encoding.type}[])
      AS row (position, content, metadata, tokens, embedding)`;
  const statements: { text: string; values: unknown[] }[] = [];
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const some = rows.slice(start, start + ROWS_A_STATEMENT);
    const hashes = some.map(({ chunk }) => hashesOf(chunk.metadata));
    const list = (values: unknown[]) => `{${values.map((value) => JSON.stringify(String(value)))}}`;
    statements.push({
      text,
      values: [
        customerKey,
        datasetKey,
        list(some.map(({ chunk }) => chunk.position)),
        list(some.map(({ chunk }) => chunk.content)),
        list(some.map(({ chunk }) => JSON.stringify(chunk.metadata))),
        list(hashes.map((all) => `{${all}}`)),
        encoding.many(some.map(({ vector }) => vector)),
      ],
    });
  }
  return () =>
    pMap(statements, (statement) => pool.query(statement), { concurrency: STATEMENTS_AT_ONCE });
}
