import { Prisma } from '../../../generated/prisma/client.ts';
import { isListed } from '../../../sql/is-listed.ts';
import {
  andValues,
  DATASET_VERSION,
  type DatasetFilter,
  type DatasetScope,
  listOf,
} from '../dataset-filter.ts';
import { type Hit, type NearestSearch, readHits } from '../nearest-statements.ts';
import { createRun, type StatementParts } from '../run-statement.ts';
import { anyTerm, bm25, counted, frequencyName } from './bm25-sql.ts';

const { raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/** Asks for the chunks with the highest BM25 of some terms. */
export interface TermsSearch extends NearestSearch {
  /** In ascending order. */
  terms: number[];
}

/**
 * Shows whether cached content of a dataset is current, and whether its unlisted files have changed.
 */
export interface ContentState {
  /** Null if the dataset does not exist. */
  version: string | null;
  /** A digest of the loader runs of unlisted files; null if there are none. */
  unlistedDigest: string | null;
}

/** The number of chunks that pass, and for each term the number of them that have it. */
export interface TermFrequencies {
  chunks: number;
  frequencies: number[];
}

/** The maximum number of terms in a statement: PostgreSQL allows at most 1,664 columns. */
const MOST_TERMS = 500;

/** The SQL statements for a search by keywords. */
export function createKeywordStatements({
  pool,
  query: ask,
  encoding,
  isDistributed,
}: StatementParts) {
  const { type, one } = encoding;
  const run = createRun(pool);

  return {
    /**
     * The chunks with these keys that exist and have the filter's values, and the state of their
     * dataset.
     */
    async byKeys(
      { vector, ...query }: NearestSearch,
      keys: bigint[],
    ): Promise<{ state: ContentState; hits: Hit[] }> {
      const { customerKey, datasetKey } = query;
      const [first, ...others] = await ask<ContentState & NullableHit>(sql`
        SELECT state.*, hit.* FROM (${stateOf(query)}) AS state LEFT JOIN (
          SELECT key, content, metadata, -(embedding <#> ${one(vector)}::${raw(type)}) AS score
          FROM chunk
          WHERE customer_key = ${customerKey} AND key = ANY (${listOf(keys)})
            AND dataset_key + 0 = ${datasetKey} AND ${isListed(customerKey)} ${andValues(query)}
        ) AS hit ON true`);
      if (!first) throw new Error('a state is always found');
      return { state: first, hits: [first, ...others].filter(isThere) };
    },

    /** The state of a dataset, and the loader runs of all unlisted files of the customer. */
    async state(scope: DatasetScope): Promise<ContentState & { loaderKeys: string[] }> {
      const { customerKey } = scope;
      const [found] = await ask<ContentState & { loaderKeys: string[] }>(sql`
        SELECT *, ARRAY(SELECT loader_key::text FROM pending_file
          WHERE customer_key = ${customerKey}) AS "loaderKeys"
        FROM (${stateOf(scope)}) AS state`);
      if (!found) throw new Error('a state is always found');
      return found;
    },

    /**
     * The chunks with the highest BM25, among those that pass and have a term; equal scores in the
     * order of their keys. Reads the terms of all chunks that pass.
     */
    best: ({ vector, limit, ...query }: TermsSearch): Promise<Hit[]> =>
      run(
        query.chunkCount,
        sql`
        WITH ${counted(query, { isDistributed })}, best AS (
          SELECT key, ${bm25(query.terms)} AS weight FROM counted, totals
          WHERE ${anyTerm(query.terms)} > 0
          ORDER BY weight DESC, key LIMIT ${limit}
        ), hit AS MATERIALIZED (
          ${readHits(query.customerKey, sql`, -(embedding <#> ${one(vector)}::${raw(type)}) AS score`)}
        )
        SELECT key, content, metadata, score FROM best JOIN hit USING (key)
        ORDER BY weight DESC, key`,
      ),

    /** Each statement reads the terms of all chunks that pass. */
    async frequencies(query: DatasetFilter & { terms: number[] }): Promise<TermFrequencies> {
      const all: TermFrequencies = { chunks: 0, frequencies: [] };
      // The chunks are counted even if there are no terms.
      for (let at = 0; at === 0 || at < query.terms.length; at += MOST_TERMS) {
        const terms = query.terms.slice(at, at + MOST_TERMS);
        const names = terms.map((_, at) => frequencyName(at));
        const [found] = await run<TermFrequencies>(
          query.chunkCount,
          sql`
          WITH ${counted({ ...query, terms }, { isDistributed })}
          SELECT chunks, ARRAY[${raw(names.join())}]::float8[] AS frequencies FROM totals`,
        );
        if (!found) throw new Error('totals are always found');
        all.chunks = found.chunks;
        all.frequencies.push(...found.frequencies);
      }
      return all;
    },
  };
}

type NullableHit = Hit | { [Member in keyof Hit]: null };

function isThere<Row extends NullableHit>(row: Row): row is Row & Hit {
  return row.key !== null;
}

function stateOf({ customerKey, datasetKey }: DatasetScope): Sql {
  return sql`
    SELECT (SELECT ${raw(DATASET_VERSION)} FROM dataset
        WHERE customer_key = ${customerKey} AND key = ${datasetKey}) AS version,
      (SELECT md5(string_agg(loader_key::text, ',' ORDER BY loader_key)) FROM pending_file
        WHERE customer_key = ${customerKey}) AS "unlistedDigest"`;
}
