import { DIMENSIONS } from '../../core/embedding.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Vector } from '../../ports/language-model.ts';
import { isListed } from '../../sql/is-listed.ts';
import { BITS, encodeOne } from './array-encoding.ts';
import type { SignQuestion } from './codes/sign-question.ts';
import {
  andFilter,
  andValues,
  DATASET_VERSION,
  type DatasetFilter,
  listOf,
  ofDataset,
  passing,
} from './dataset-filter.ts';
import { createRun, type StatementParts } from './run-statement.ts';

const { empty, raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

export interface NearestSearch extends DatasetFilter {
  /** Of length 1. */
  vector: Vector;
  /** The most hits to return. */
  limit: number;
}

export interface Hit {
  /** Of the chunk. */
  key: string;
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

/** A hit among chunks with given keys. */
export interface RerankedHit extends Hit {
  /** The version of the dataset; none when there is no such dataset. */
  version: string | null;
}

/** A hit among candidates. */
export interface CandidateHit extends Hit {
  candidates: number;
  /** The lowest estimate of a candidate. */
  leastEstimate: number;
  /** Whether all chunks of the dataset are indexed. */
  complete: boolean;
  largestSignFactor: number;
}

/**
 * The statements of a search. Each returns content and metadata of the hits only, nearest first, equally
 * near ones in the order of their keys; none sees another dataset, or a file that is being uploaded or
 * deleted.
 */
export function createNearestStatements({
  pool,
  query,
  encoding: { type, one },
  isDistributed,
}: StatementParts) {
  const run = createRun(pool);

  return {
    /** Among all that pass the filter. */
    exact: (search: NearestSearch): Promise<Hit[]> =>
      run(
        search.chunkCount,
        sql`
        WITH best AS (
          SELECT ${keyAndDistance(search)} FROM chunk WHERE ${passing(search, { isDistributed })}
          ORDER BY distance, key LIMIT ${search.limit}
        ) ${hitsOf(search)}`,
      ),

    /** Among those that pass the filter, but no more than `most` of them. */
    exactUpTo: (search: NearestSearch, most: number): Promise<PassingHit[]> =>
      run(
        search.chunkCount,
        sql`
        WITH few AS MATERIALIZED (
          SELECT ${keyAndDistance(search)} FROM chunk WHERE ${passing(search, { isDistributed })} LIMIT ${most}
        ), best AS (
          SELECT *, (SELECT count(*)::int FROM few) AS passed FROM few
          ORDER BY distance, key LIMIT ${search.limit}
        ) ${hitsOf(search)}`,
      ),

    /** Among those of these chunks that are there and have the filter's values. */
    rerankKeys(search: NearestSearch, keys: bigint[]): Promise<RerankedHit[]> {
      const { customerKey, datasetKey, vector, limit } = search;
      // Few are read, so the contents of all are: planning a second look takes longer. The plan is
      // the same whatever is asked, so it may be prepared; others depend on sizes.
      return query(sql`
        SELECT key, content, metadata, -(embedding <#> ${one(vector)}::${raw(type)}) AS score,
          (SELECT ${raw(DATASET_VERSION)} FROM dataset
            WHERE customer_key = ${customerKey} AND key = ${datasetKey}) AS version
        FROM chunk
        WHERE customer_key = ${customerKey} AND key = ANY (${listOf(keys)})
          AND dataset_key + 0 = ${datasetKey} AND ${isListed(customerKey)} ${andValues(search)}
        ORDER BY score DESC, key LIMIT ${limit}`);
    },

    /** Among the `most` chunks with the highest estimates. */
    rerankBySigns(
      search: NearestSearch,
      question: SignQuestion,
      most: number,
    ): Promise<CandidateHit[]> {
      const candidates = sql`
        SELECT key, ${estimateOf(question)} AS estimate FROM chunk_index WHERE ${ofDataset(search)}
        ORDER BY estimate DESC LIMIT ${most}`;
      return run(search.chunkCount, rerankCandidates(search, candidates));
    },

    /** Among all chunks whose estimates are no lower than `leastEstimate`; none when there are more than `most`. */
    rerankAbove(
      search: NearestSearch,
      question: SignQuestion,
      leastEstimate: number,
      most: number,
    ): Promise<CandidateHit[]> {
      const estimate = estimateOf(question);
      const candidates = sql`
        SELECT key, ${estimate} AS estimate FROM chunk_index WHERE ${ofDataset(search)}
          AND ${estimate} >= ${leastEstimate} LIMIT ${most + 1}`;
      const unlessMore = sql`WHERE (SELECT count(*) FROM candidates) <= ${most}`;
      return run(search.chunkCount, rerankCandidates(search, candidates, unlessMore));
    },
  };

  /** The nearest of candidates, which have a key and an estimate. */
  function rerankCandidates(search: NearestSearch, candidates: Sql, condition = empty): Sql {
    const { customerKey, datasetKey, limit } = search;
    return sql`
      WITH candidates AS MATERIALIZED (${candidates}), best AS (
        SELECT ${keyAndDistance(search)} FROM chunk
        WHERE customer_key = ${customerKey}
          AND key = ANY (ARRAY(SELECT key FROM candidates ${condition}))
          ${andFilter(search)}
        ORDER BY distance, key LIMIT ${limit}
      ), totals AS (
        SELECT count(*) = (SELECT chunk_count FROM dataset
            WHERE customer_key = ${customerKey} AND key = ${datasetKey}) AS complete,
          max(sign_factor) AS "largestSignFactor",
          (SELECT count(*)::int FROM candidates) AS candidates,
          (SELECT min(estimate) FROM candidates) AS "leastEstimate"
        FROM chunk_index WHERE customer_key = ${customerKey} AND dataset_key = ${datasetKey}
      ) ${hitsOf(search, sql`CROSS JOIN totals`, sql`, totals.*`)}`;
  }

  function keyAndDistance({ vector }: NearestSearch): Sql {
    return sql`key, embedding <#> ${one(vector)}::${raw(type)} AS distance`;
  }
}

/** Content last: only the hits' rows are read whole. */
function hitsOf({ customerKey }: NearestSearch, join = empty, columns = empty): Sql {
  return sql`
    , hit AS MATERIALIZED (${readHits(customerKey)})
    SELECT content, metadata, -distance AS score, best.* ${columns}
    FROM best JOIN hit USING (key) ${join}
    ORDER BY distance, best.key`;
}

/**
 * The rows of `chunk` for the rows of `best`. A list of keys is looked up in one scan: in a join, without
 * statistics for a new customer, PostgreSQL would read all chunks of the customer again for each.
 */
export function readHits(customerKey: number, columns = empty): Sql {
  return sql`SELECT key, content, metadata ${columns} FROM chunk
    WHERE customer_key = ${customerKey} AND key = ANY (ARRAY(SELECT key FROM best))`;
}

/** About the inner product of a question and a row of `chunk_index`. */
function estimateOf({ planes: [first, second], scale }: SignQuestion): Sql {
  return sql`(${3 * DIMENSIONS} - 4 * (signs <~> ${encodeOne(first, BITS)})
    - 2 * (signs <~> ${encodeOne(second, BITS)})) * sign_factor * ${scale}::float8`;
}
