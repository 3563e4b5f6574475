import type { Pool } from 'pg';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Vector } from '../../ports/language-model.ts';
import { createTokenizer, type Scalar, signatureOf } from './filter-tokens.ts';
import { encodeSigns, type VectorEncoding } from './vector-encoding.ts';

const { sql, raw } = Prisma;
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

/** A hit among candidates. */
interface CandidateHit extends Hit {
  /** In how many bits its code differs from the vector's. */
  bits: number;
  candidates: number;
  /** The most bits of a candidate: what was left out differs in as many at least. */
  cut: number;
}

/** Up to so many chunks the true vectors of all are compared: quicker than codes first. */
const EXACT_CHUNKS = 2_000;
/** Up to here those of all chunks that pass a filter are, however many do. */
const EXACT_FILTERED_CHUNKS = 10_000;
/** Above, those that pass are compared unless they are more than this. */
const EXACT_MATCHES = 2_000;
/** Chunks with the nearest codes, whose true vectors are compared. */
const CANDIDATES = 400;
/** How often candidates are widened. */
const WIDENINGS = 2;
/** For more candidates than this all true vectors are compared instead. */
const WIDEST = 20_000;

/**
 * Finds the chunks of a dataset that are nearest to a vector, among those that pass the filter:
 * `limit` of them, or all when there are fewer. Equally near ones come in the order of their keys.
 *
 * Where many chunks come into question, codes (the signs of the vectors) are compared first, and
 * the true vectors of those with the nearest codes only. What that finds counts when it lies well
 * within the candidates; else they are widened to all that could be nearer; else, and where
 * few come into question, the true vectors of all are compared.
 */
export function createNearest(pool: Pool, { type, one }: VectorEncoding) {
  return async function nearest(query: NearestQuery): Promise<Hit[]> {
    const { chunkCount = 0, filter } = query;
    if (Object.keys(filter).length === 0) {
      const hits = chunkCount > EXACT_CHUNKS ? await byCodes(query) : undefined;
      return hits ?? exact(query);
    }
    if (chunkCount <= EXACT_FILTERED_CHUNKS) return exact(query);
    return (await exactOfFew(query)) ?? (await byCodes(query)) ?? exact(query);
  };

  function exact(query: NearestQuery): Promise<Hit[]> {
    return run(sql`
      WITH best AS (
        SELECT key, ${distanceTo(query)} AS distance FROM chunk WHERE ${passing(query)}
        ORDER BY distance, key LIMIT ${query.limit}
      ) ${hitsOf(query)}`);
  }

  /** @returns nothing when more than a few chunks pass the filter */
  async function exactOfFew(query: NearestQuery): Promise<Hit[] | undefined> {
    const hits = await run<Hit & { passed: number }>(sql`
      WITH few AS MATERIALIZED (
        SELECT key, ${distanceTo(query)} AS distance FROM chunk WHERE ${passing(query)}
        LIMIT ${EXACT_MATCHES + 1}
      ), best AS (
        SELECT *, (SELECT count(*)::int FROM few) AS passed FROM few
        ORDER BY distance, key LIMIT ${query.limit}
      ) ${hitsOf(query)}`);
    return (hits[0]?.passed ?? 0) > EXACT_MATCHES ? undefined : hits;
  }

  /** @returns nothing when codes cannot tell */
  async function byCodes(query: NearestQuery): Promise<Hit[] | undefined> {
    const signs = encodeSigns(query.vector);
    const most = Math.max(CANDIDATES, 8 * query.limit);
    let hits = await among(query, signs, sql`ORDER BY bits LIMIT ${most}`);
    if ((hits[0]?.candidates ?? 0) < most) return hits.length > 0 ? hits : undefined;
    let cut = hits[0]?.cut ?? 0;
    for (let widened = 0; hits.length === query.limit; widened++) {
      const reach = reachOf(hits);
      if (reach <= cut) return hits;
      if (widened === WIDENINGS) break;
      hits = await among(query, signs, sql`AND code <~> ${signs} <= ${reach} LIMIT ${WIDEST + 1}`);
      if ((hits[0]?.candidates ?? 0) > WIDEST) break;
      cut = reach;
    }
    return undefined;
  }

  /** The hits among the candidates that `which` leaves. */
  function among(query: NearestQuery, signs: Buffer, which: Sql): Promise<CandidateHit[]> {
    return run(sql`
      WITH candidates AS MATERIALIZED (
        SELECT key, code <~> ${signs} AS bits FROM chunk
        WHERE ${ofDataset(query)} AND ${passingBySignature(query)} ${which}
      ), best AS (
        SELECT key, ${distanceTo(query)} AS distance, code <~> ${signs} AS bits,
          (SELECT count(*)::int FROM candidates) AS candidates,
          (SELECT max(bits) FROM candidates) AS cut
        FROM chunk
        WHERE customer_key = ${query.customerKey} AND key = ANY (ARRAY(SELECT key FROM candidates))
          AND metadata @> ${JSON.stringify(query.filter)}::jsonb
        ORDER BY distance, key LIMIT ${query.limit}
      ) ${hitsOf(query)}`);
  }

  function distanceTo({ vector }: NearestQuery): Sql {
    return sql`embedding <#> ${one(vector)}::${raw(type)}`;
  }

  async function run<Row extends Hit>({ text, values }: Sql): Promise<Row[]> {
    const { rows } = await pool.query<Row>(text, values);
    return rows;
  }
}

/** Signs of so many numbers differ. */
const DIMENSIONS = 1536;
/** Three deviations of the number of signs in which vectors of one cosine differ. */
const SPREAD = 60;
/** By how much a hit that is missed may be farther than those that were found. */
const MARGIN = 30;

/**
 * In how many bits the code of a chunk may differ that is as near as the last of the hits: more
 * than that of any hit, and more than the cosine lets expect (the angle's part of half a turn).
 */
function reachOf(hits: CandidateHit[]): number {
  const worst = Math.max(...hits.map(({ bits }) => bits));
  const cosine = Math.min(1, Math.max(-1, hits.at(-1)?.score ?? -1));
  const usual = (DIMENSIONS * Math.acos(cosine)) / Math.PI;
  return Math.ceil(Math.max(worst + MARGIN, usual + SPREAD));
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
  if (Object.keys(filter).length === 0) return ofDataset(query);
  // With `+ 0` no list of the whole dataset is read beside the tokens' list, which names the dataset.
  return sql`
    tokens @> ${createTokenizer(datasetKey)(filter)}::bigint[]
    AND metadata @> ${JSON.stringify(filter)}::jsonb
    AND customer_key + 0 = ${customerKey} AND dataset_key + 0 = ${datasetKey}
    AND ${visible(customerKey)}`;
}

function passingBySignature({ datasetKey, filter }: NearestQuery): Sql {
  const signature = signatureOf(createTokenizer(datasetKey)(filter));
  return signature === 0n ? sql`true` : sql`signature & ${signature} = ${signature}`;
}

/** Chunks of a file on its way in or out do not count. */
function visible(customerKey: number): Sql {
  return sql`loader_key <> ALL (
    ARRAY(SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey}))`;
}
