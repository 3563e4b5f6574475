import type { Pool } from 'pg';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Vector } from '../../ports/language-model.ts';
import type { Query } from '../../ports/query.ts';
import { withConnection } from '../database/with-connection.ts';
import { createTokenizer, type Scalar } from './filter-tokens.ts';
import { encodeSigns, type VectorEncoding } from './vector-encoding.ts';

const { empty, raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

export interface DatasetScope {
  customerKey: number;
  datasetKey: number;
  /** How many chunks it has, about: that decides how it is searched. Unset, all are compared. */
  chunkCount?: number | undefined;
}

export interface NearestQuery extends DatasetScope {
  /** Of length 1. */
  vector: Vector;
  /** What the metadata must have, type included. */
  filter: Record<string, Scalar>;
  /** The most hits to return. */
  limit: number;
}

export interface Hit {
  content: string;
  metadata: Record<string, unknown>;
  /** Cosine similarity of the true vectors. */
  score: number;
}

/** A hit among those that pass a filter. */
export interface PassingHit extends Hit {
  /** How many pass. */
  passed: number;
}

/** A hit among chunks that were named. */
export interface NamedHit extends PassingHit {
  key: string;
  /** The version of the dataset; none when there is no such dataset. */
  version: string | null;
}

/** A hit among candidates. */
export interface CandidateHit extends Hit {
  /** In how many bits its code differs from the vector's. */
  bits: number;
  candidates: number;
  /** The most bits of a candidate. */
  cut: number;
}

/** Of a row of `dataset`: the transaction that changed it last. */
export const DATASET_VERSION = 'xmin::text';

/** What statements are run by. */
export interface StatementParts {
  pool: Pool;
  query: Query;
  encoding: VectorEncoding;
}

/**
 * Where more is read, PostgreSQL is told how to go about it: it would rather read the whole table
 * than a large part of it, and compile what takes less time than that.
 */
const STEERED_CHUNKS = 20_000;
const STEERING = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off;';

/**
 * The statements of a search. Each reads content and metadata of the hits only, nearest first,
 * equally near ones in the order of their keys; none sees another dataset, or a file on its way.
 */
export function createStatements({ pool, query: ask, encoding: { type, one } }: StatementParts) {
  return {
    /** Among all that pass the filter. */
    all: (query: NearestQuery): Promise<Hit[]> =>
      run(
        query.chunkCount,
        sql`
        WITH best AS (
          SELECT ${keyed(query)} FROM chunk WHERE ${passing(query)}
          ORDER BY distance, key LIMIT ${query.limit}
        ) ${hitsOf(query)}`,
      ),

    /** Among those that pass the filter, but no more than `most` of them. */
    some: (query: NearestQuery, most: number): Promise<PassingHit[]> =>
      run(
        query.chunkCount,
        amongFew(
          query,
          sql`SELECT ${keyed(query)} FROM chunk WHERE ${passing(query)} LIMIT ${most}`,
        ),
      ),

    /** Among those of these chunks that are there and pass the filter. */
    named(query: NearestQuery, keys: bigint[]): Promise<NamedHit[]> {
      const { customerKey, datasetKey } = query;
      // The planner, not knowing how many keys there are, weighs none of them.
      const listed = sql`ARRAY(SELECT unnest(${`{${keys}}`}::bigint[]))`;
      const version = sql`(SELECT ${raw(DATASET_VERSION)} FROM dataset
        WHERE customer_key = ${customerKey} AND key = ${datasetKey}) AS version`;
      const chunks = sql`
        SELECT ${keyed(query)} FROM chunk
        WHERE customer_key = ${customerKey} AND key = ANY (${listed})
          AND dataset_key + 0 = ${datasetKey} AND ${visible(customerKey)} ${andFilter(query)}`;
      // Its plan is the same whatever is asked, so it may be prepared; others depend on sizes.
      return ask(amongFew(query, chunks, sql`, ${version}`));
    },

    /** Among the `most` chunks with the nearest codes. */
    coded(query: NearestQuery, most: number): Promise<CandidateHit[]> {
      const signs = encodeSigns(query.vector);
      const candidates = sql`
        SELECT key, code <~> ${signs} AS bits FROM chunk WHERE ${ofDataset(query)}
        ORDER BY bits LIMIT ${most}`;
      return run(query.chunkCount, among(query, signs, candidates));
    },

    /** Among all chunks whose codes differ in no more bits than `reach`; none when there are more than `most`. */
    within(query: NearestQuery, reach: number, most: number): Promise<CandidateHit[]> {
      const signs = encodeSigns(query.vector);
      const candidates = sql`
        SELECT key, code <~> ${signs} AS bits FROM chunk WHERE ${ofDataset(query)}
          AND code <~> ${signs} <= ${reach} LIMIT ${most + 1}`;
      const unlessMore = sql`WHERE (SELECT count(*) FROM candidates) <= ${most}`;
      return run(query.chunkCount, among(query, signs, candidates, unlessMore));
    },
  };

  /** The nearest of candidates, which have a key and their bits. */
  function among(query: NearestQuery, signs: Buffer, candidates: Sql, condition = empty): Sql {
    const { customerKey, limit } = query;
    return sql`
      WITH candidates AS MATERIALIZED (${candidates}), best AS (
        SELECT ${keyed(query)}, code <~> ${signs} AS bits,
          (SELECT count(*)::int FROM candidates) AS candidates,
          (SELECT max(bits) FROM candidates) AS cut
        FROM chunk
        WHERE customer_key = ${customerKey}
          AND key = ANY (ARRAY(SELECT key FROM candidates ${condition}))
          ${andFilter(query)}
        ORDER BY distance, key LIMIT ${limit}
      ) ${hitsOf(query)}`;
  }

  /** The nearest of some chunks, which have a key and their distance, and how many these are. */
  function amongFew(query: NearestQuery, chunks: Sql, more = empty): Sql {
    return sql`
      WITH few AS MATERIALIZED (${chunks}), best AS (
        SELECT *, (SELECT count(*)::int FROM few) AS passed ${more} FROM few
        ORDER BY distance, key LIMIT ${query.limit}
      ) ${hitsOf(query)}`;
  }

  function keyed({ vector }: NearestQuery): Sql {
    return sql`key, embedding <#> ${one(vector)}::${raw(type)} AS distance`;
  }

  /** @param chunks how many are read */
  async function run<Row extends Hit>(
    chunks: number | undefined,
    { text, values }: Sql,
  ): Promise<Row[]> {
    if ((chunks ?? 0) <= STEERED_CHUNKS) return (await pool.query<Row>(text, values)).rows;
    return withConnection(pool, async (client) => {
      await client.query(`BEGIN READ ONLY; ${STEERING}`);
      const { rows } = await client.query<Row>(text, values);
      await client.query('COMMIT');
      return rows;
    });
  }
}

export function hasFilter({ filter }: NearestQuery): boolean {
  return Object.keys(filter).length > 0;
}

/** Content last: only the hits' rows are read whole. */
function hitsOf({ customerKey }: NearestQuery): Sql {
  return sql`
    SELECT chunk.content, chunk.metadata, -best.distance AS score, best.*
    FROM best JOIN chunk ON chunk.customer_key = ${customerKey} AND chunk.key = best.key
    ORDER BY best.distance, best.key`;
}

function ofDataset({ customerKey, datasetKey }: NearestQuery): Sql {
  return sql`customer_key = ${customerKey} AND dataset_key = ${datasetKey} AND ${visible(customerKey)}`;
}

function passing(query: NearestQuery): Sql {
  const { customerKey, datasetKey, filter } = query;
  if (!hasFilter(query)) return ofDataset(query);
  // With `+ 0` no list of the whole dataset is read beside the tokens' list, which names the dataset.
  return sql`
    tokens @> ${createTokenizer(datasetKey)(filter)}::bigint[] ${andFilter(query)}
    AND customer_key + 0 = ${customerKey} AND dataset_key + 0 = ${datasetKey}
    AND ${visible(customerKey)}`;
}

function andFilter(query: NearestQuery): Sql {
  return hasFilter(query) ? sql`AND metadata @> ${JSON.stringify(query.filter)}::jsonb` : empty;
}

/** Chunks of a file on its way in or out do not count. */
function visible(customerKey: number): Sql {
  return sql`loader_key <> ALL (
    ARRAY(SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey}))`;
}
