import { Prisma } from '../../../generated/prisma/client.ts';
import {
  andFilter,
  createRun,
  DATASET_VERSION,
  type DatasetFilter,
  type DatasetScope,
  type Hit,
  hasFilter,
  listOf,
  type NearestQuery,
  ofDataset,
  passing,
  type StatementParts,
  visible,
} from '../statements.ts';
import { BM25 } from './bm25.ts';
import { MOST_TIMES, TIMES_BITS } from './chunk-terms.ts';
import { encodeSparse } from './sparse-encoding.ts';

const { empty, join, raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/** Asks for the chunks with the highest BM25 of some terms. */
export interface TermsQuery extends NearestQuery {
  /** In ascending order. */
  terms: number[];
}

/** What tells whether what is remembered of a dataset is still true, and which of it counts. */
export interface DatasetState {
  /** None when there is no such dataset. */
  version: string | null;
  /** Of the loader runs whose files are on their way in or out; none when there are none. */
  pendingDigest: string | null;
}

/** How many chunks pass, and how many of them have each term. */
export interface TermFrequencies {
  chunks: number;
  frequencies: number[];
}

/**
 * How many terms are counted by one inner product: it is a sum of floats, which are exact up to 24
 * bits, and a count takes 4 of them.
 */
const TERMS_AT_ONCE = 6;
/** Of a statement: a row of PostgreSQL has no more than 1,664 columns. */
const MOST_TERMS = 500;

/** The statements of a search by keywords. */
export function createKeywordStatements({ pool, query: ask, encoding }: StatementParts) {
  const { type, one } = encoding;
  const run = createRun(pool);

  return {
    /** These chunks, as far as they are there and pass the filter, and the state of their dataset. */
    async named(
      { vector, ...query }: NearestQuery,
      keys: bigint[],
    ): Promise<{ state: DatasetState; hits: Hit[] }> {
      const { customerKey, datasetKey } = query;
      const [first, ...others] = await ask<DatasetState & NullableHit>(sql`
        SELECT state.*, hit.* FROM (${stateOf(query)}) AS state LEFT JOIN (
          SELECT key, content, metadata, -(embedding <#> ${one(vector)}::${raw(type)}) AS score
          FROM chunk
          WHERE customer_key = ${customerKey} AND key = ANY (${listOf(keys)})
            AND dataset_key + 0 = ${datasetKey} AND ${visible(customerKey)} ${andFilter(query)}
        ) AS hit ON true`);
      if (!first) throw new Error('a state is always found');
      return { state: first, hits: [first, ...others].filter(isThere) };
    },

    /** With the loader runs of all pending files of the customer. */
    async state(scope: DatasetScope): Promise<DatasetState & { loaderKeys: string[] }> {
      const { customerKey } = scope;
      const [found] = await ask<DatasetState & { loaderKeys: string[] }>(sql`
        SELECT *, ARRAY(SELECT loader_key::text FROM pending_file
          WHERE customer_key = ${customerKey}) AS "loaderKeys"
        FROM (${stateOf(scope)}) AS state`);
      if (!found) throw new Error('a state is always found');
      return found;
    },

    /** The chunks with the highest BM25 among those that pass and have a term; equally good ones in the order of their keys. Reads the terms of all that pass. */
    best: ({ vector, limit, ...query }: TermsQuery): Promise<Hit[]> =>
      run(
        query.chunkCount,
        sql`
        WITH ${counted(query)}, best AS (
          SELECT key, ${bm25(query.terms)} AS weight FROM counted, totals
          WHERE ${sumOf(packedNames(query.terms))} > 0
          ORDER BY weight DESC, key LIMIT ${limit}
        )
        SELECT chunk.key, chunk.content, chunk.metadata,
          -(chunk.embedding <#> ${one(vector)}::${raw(type)}) AS score
        FROM best JOIN chunk ON chunk.customer_key = ${query.customerKey} AND chunk.key = best.key
        ORDER BY best.weight DESC, best.key`,
      ),

    /** Reads the terms of all chunks that pass, with each statement. */
    async frequencies(query: DatasetFilter & { terms: number[] }): Promise<TermFrequencies> {
      const all: TermFrequencies = { chunks: 0, frequencies: [] };
      // Without a term, too, the chunks are counted.
      for (let at = 0; at === 0 || at < query.terms.length; at += MOST_TERMS) {
        const terms = query.terms.slice(at, at + MOST_TERMS);
        const names = terms.map((_, at) => frequencyName(at));
        const [found] = await run<TermFrequencies>(
          query.chunkCount,
          sql`
          WITH ${counted({ ...query, terms })}
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
        WHERE customer_key = ${customerKey}) AS "pendingDigest"`;
}

/** `counted`: how often each chunk that passes has each term; `totals`: what BM25 asks of all of them. */
function counted(query: DatasetFilter & { terms: number[] }): Sql {
  const { terms } = query;
  const packed = packedNames(terms).map((name, group) => {
    const dimensions = Int32Array.from(
      terms.slice(group * TERMS_AT_ONCE, (group + 1) * TERMS_AT_ONCE),
    );
    const shifts = dimensions.map((_, at) => (MOST_TIMES + 1) ** at);
    const asked = encodeSparse({ dimensions, numbers: shifts });
    return sql`, (-(terms <#> ${asked}::sparsevec))::int AS ${raw(name)}`;
  });
  const frequencies = terms.map(
    (_, at) =>
      sql`, (count(*) FILTER (WHERE ${timesOf(at)} > 0))::float8 AS ${raw(frequencyName(at))}`,
  );
  // Read more than once: unless materialized, so would the chunks be.
  return sql`
    ${passingKeys(query)} counted AS MATERIALIZED (
      SELECT key, length ${listed(packed)} FROM ${rowsOf(query)}
    ), totals AS MATERIALIZED (
      SELECT count(*)::float8 AS chunks, greatest(avg(length), 1)::float8 AS average
        ${listed(frequencies)}
      FROM counted
    )`;
}

function passingKeys(query: DatasetFilter): Sql {
  if (!hasFilter(query)) return empty;
  return sql`passing AS MATERIALIZED (
    SELECT loader_key, key FROM chunk WHERE ${passing(query)}
  ),`;
}

/** Of `chunk_index`: those of all chunks that pass. */
function rowsOf(query: DatasetFilter): Sql {
  if (!hasFilter(query)) return sql`chunk_index WHERE ${ofDataset(query)}`;
  const { customerKey, datasetKey } = query;
  return sql`passing JOIN chunk_index USING (loader_key, key)
    WHERE customer_key = ${customerKey} AND dataset_key = ${datasetKey}`;
}

function bm25(terms: number[]): Sql {
  const { k1, b } = BM25;
  // In this order all is in floats: 0.9 * length would be a numeric, which takes ten times as long.
  const norm = `(${k1 * (1 - b)} + ${k1 * b} * (length / average))`;
  return sumOf(
    terms.map((_, at) => {
      const [times, frequency] = [timesOf(at).text, frequencyName(at)];
      const rarity = `ln(1 + (chunks - ${frequency} + 0.5) / (${frequency} + 0.5))`;
      return `${rarity} * ${times} * ${k1 + 1} / (${times} + ${norm})`;
    }),
  );
}

function listed(parts: Sql[]): Sql {
  return parts.length > 0 ? join(parts, '') : empty;
}

function packedNames(terms: number[]): string[] {
  return Array.from({ length: Math.ceil(terms.length / TERMS_AT_ONCE) }, (_, at) => `packed_${at}`);
}

function timesOf(at: number): Sql {
  const shift = TIMES_BITS * (at % TERMS_AT_ONCE);
  return raw(`(packed_${Math.floor(at / TERMS_AT_ONCE)} >> ${shift} & ${MOST_TIMES})`);
}

function frequencyName(at: number): string {
  return `frequency_${at}`;
}

function sumOf(parts: string[]): Sql {
  return raw(parts.join(' + '));
}
