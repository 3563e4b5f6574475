import { Prisma } from '../../../generated/prisma/client.ts';
import { encodeOne } from '../array-encoding.ts';
import {
  type DatasetFilter,
  hasFilter,
  ofDataset,
  type Placement,
  passing,
} from '../dataset-filter.ts';
import { BM25, SCORE_PRECISION } from './bm25.ts';
import { MOST_TIMES, TIMES_BITS } from './chunk-terms.ts';
import { SPARSE } from './sparse-encoding.ts';

const { empty, join, raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/* BM25 in SQL: the database computes it for the chunks that pass a filter. */

/**
 * How many terms one inner product can count. It is a sum of floats, which are exact up to 24 bits,
 * and each count takes 4 bits.
 */
const TERMS_AT_ONCE = 6;

/**
 * Two CTEs: `counted`, how often each passing chunk has each term; `totals`, the statistics that
 * BM25 needs over all of them.
 */
export function counted(query: DatasetFilter & { terms: number[] }, placement: Placement): Sql {
  const { terms } = query;
  const packed = packedNames(terms).map((name, group) => {
    const dimensions = terms.slice(group * TERMS_AT_ONCE, (group + 1) * TERMS_AT_ONCE);
    const shifts = dimensions.map((_, at) => (MOST_TIMES + 1) ** at);
    const asked = encodeOne({ dimensions, numbers: shifts }, SPARSE);
    return sql`, (-(terms <#> ${asked}::sparsevec))::int AS ${raw(name)}`;
  });
  const frequencies = terms.map(
    (_, at) =>
      sql`, (count(*) FILTER (WHERE ${timesOf(at)} > 0))::float8 AS ${raw(frequencyName(at))}`,
  );
  // `counted` is read more than once. Unless it is materialized, the chunks are, too.
  return sql`
    ${passingKeys(query, placement)} counted AS MATERIALIZED (
      SELECT key, length ${listed(packed)} FROM ${rowsOf(query)}
    ), totals AS MATERIALIZED (
      SELECT count(*)::float8 AS chunks, greatest(avg(length), 1)::float8 AS average
        ${listed(frequencies)}
      FROM counted
    )`;
}

function passingKeys(query: DatasetFilter, placement: Placement): Sql {
  if (!hasFilter(query)) return empty;
  return sql`passing AS MATERIALIZED (
    SELECT loader_key, key FROM chunk WHERE ${passing(query, placement)}
  ),`;
}

/**
 * The rows of `chunk_index` for the chunks that pass. `LIMIT` makes PostgreSQL look up each by its whole
 * primary key: for a dataset of which it has no statistics yet, it would read all rows again for each.
 */
function rowsOf(query: DatasetFilter): Sql {
  if (!hasFilter(query)) return sql`chunk_index WHERE ${ofDataset(query)}`;
  const { customerKey, datasetKey } = query;
  return sql`passing CROSS JOIN LATERAL (
    SELECT length, terms FROM chunk_index WHERE customer_key = ${customerKey} AND dataset_key = ${datasetKey}
      AND loader_key = passing.loader_key AND key = passing.key LIMIT 1
  ) AS passed`;
}

/** The score of a row of `counted`, in units of its precision. */
export function bm25(terms: number[]): Sql {
  const { k1, b } = BM25;
  // This order keeps all values floats: 0.9 * length would be a numeric, ten times as slow.
  const norm = `(${k1 * (1 - b)} + ${k1 * b} * (length / average))`;
  const sum = sumOf(
    terms.map((_, at) => {
      const [times, frequency] = [timesOf(at).text, frequencyName(at)];
      const rarity = `ln(1 + (chunks - ${frequency} + 0.5) / (${frequency} + 0.5))`;
      return `${rarity} * ${times} * ${k1 + 1} / (${times} + ${norm})`;
    }),
  );
  return sql`round((${sum}) * ${SCORE_PRECISION}::float8)`;
}

/** An expression that is above zero for rows of `counted` with at least one of the terms. */
export function anyTerm(terms: number[]): Sql {
  return sumOf(packedNames(terms));
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

export function frequencyName(at: number): string {
  return `frequency_${at}`;
}

function sumOf(parts: string[]): Sql {
  return raw(parts.join(' + '));
}
