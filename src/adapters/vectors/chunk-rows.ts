import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Chunk } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { LoaderScope } from '../../ports/chunk-index.ts';
import type { Vector } from '../../ports/language-model.ts';
import type { Query, Statement } from '../../ports/query.ts';
import { encodeArray, TEXT } from './array-encoding.ts';
import { type DatasetScope, ofDataset } from './dataset-filter.ts';
import { createFilterHasher, type FilterHash } from './filter-hashes.ts';
import { INDEX_COLUMNS, INDEX_TYPES, type IndexParts, toIndexParameters } from './index-rows.ts';

const { raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/** A pool, or one of its connections in a transaction. */
export type Connection = Pick<Pool, 'query'>;

export interface NewChunk extends Chunk {
  /** Of length 1, or all zeros. */
  vector: Vector;
}

/** The maximum number of chunks that are added in one statement. */
const BATCH = 64;

/** The statements that write chunks. They keep `chunk_index` and `dataset.chunk_count` consistent. */
export function createChunkRows(parts: IndexParts) {
  const { encoding } = parts;

  return {
    /**
     * Adds chunks of a loader run. A chunk whose position is taken is skipped. A failure may leave
     * some of them added, unless `query` is a transaction.
     */
    async add(query: Query, scope: LoaderScope, chunks: NewChunk[]): Promise<void> {
      const hashesOf = createFilterHasher(scope.datasetKey);
      // Encoding takes about as long as inserting: the next batch is encoded while the database
      // works, and with batches of equal size, neither waits long for the other.
      const batch = Math.ceil(chunks.length / Math.ceil(chunks.length / BATCH)) || BATCH;
      const encode = (from: number) => insertOf(scope, chunks.slice(from, from + batch), hashesOf);
      let statement = encode(0);
      for (let from = batch; from < chunks.length; from += batch) {
        [, statement] = await Promise.all([
          query(statement),
          setImmediate().then(() => encode(from)),
        ]);
      }
      await query(statement);
    },

    /** Removes the customer's chunks that meet a condition on a row of `chunk`. */
    async remove(connection: Connection, customerKey: number, condition: Sql): Promise<void> {
      const { text, values } = sql`
        WITH gone AS (
          DELETE FROM chunk WHERE customer_key = ${customerKey} AND ${condition}
          RETURNING dataset_key
        ), counted AS (
          SELECT dataset_key, count(*)::int AS chunks FROM gone GROUP BY dataset_key
        )
        UPDATE dataset SET chunk_count = chunk_count - counted.chunks
        FROM counted WHERE dataset.customer_key = ${customerKey}
          AND dataset.key = counted.dataset_key`;
      await connection.query({ text, values });
    },

    /** The vectors of chunks of a dataset by their keys; missing chunks are left out. */
    async vectors(
      connection: Connection,
      scope: DatasetScope,
      keys: string[],
    ): Promise<Map<string, Vector>> {
      const { text, values } = sql`
        SELECT key::text, ${raw(encoding.type)}_send(embedding) AS embedding FROM chunk
        WHERE key = ANY (${keys}::bigint[]) AND ${ofDataset(scope)}`;
      const { rows } = await connection.query<{ key: string; embedding: Buffer }>({ text, values });
      return new Map(rows.map(({ key, embedding }) => [key, encoding.read(embedding)]));
    },
  };

  function insertOf(
    { customerKey, datasetKey, loaderKey }: LoaderScope,
    chunks: NewChunk[],
    hashesOf: ReturnType<typeof createFilterHasher>,
  ): Statement {
    const filterHashes = chunks.map(({ metadata }) => hashesOf(metadata));
    const textsOf = (text: (chunk: NewChunk, at: number) => string) =>
      encodeArray(chunks.map(text), TEXT);
    // The count waits for the chunks: it locks the dataset, and other batches would wait for them.
    return {
      text: `
        WITH new AS (
          SELECT * FROM unnest($4::int[], $5::text[], $6::text[], $7::text[],
            $8::${encoding.type}[], ${INDEX_TYPES.map((type, at) => `$${9 + at}::${type}`)})
            AS new(position, content, metadata, filter_hashes, embedding, ${INDEX_COLUMNS})
        ), added AS (
          INSERT INTO chunk (customer_key, dataset_key, loader_key, position,
            content, metadata, tokens, embedding)
          SELECT $1, $2, $3, position, content, metadata::jsonb, filter_hashes::bigint[], embedding
          FROM new
          ON CONFLICT DO NOTHING
          RETURNING key, position
        ), indexed AS (
          INSERT INTO chunk_index (customer_key, dataset_key, loader_key, key, ${INDEX_COLUMNS})
          SELECT $1, $2, $3, key, ${INDEX_COLUMNS} FROM added JOIN new USING (position)
        )
        UPDATE dataset SET chunk_count = chunk_count + (SELECT count(*) FROM added)
        WHERE customer_key = $1 AND key = $2`,
      values: [
        customerKey,
        datasetKey,
        loaderKey,
        chunks.map(({ position }) => position),
        textsOf(({ content }) => content),
        textsOf(({ metadata }) => JSON.stringify(metadata)),
        textsOf((_, at) => `{${filterHashes[at]}}`),
        encoding.many(chunks.map(({ vector }) => vector)),
        ...toIndexParameters(
          chunks.map((chunk, at) => ({ ...chunk, filterHashes: filterHashes[at] as FilterHash[] })),
          parts,
        ),
      ],
    };
  }
}

export type ChunkRows = ReturnType<typeof createChunkRows>;
