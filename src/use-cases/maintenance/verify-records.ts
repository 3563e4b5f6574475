import { Prisma } from '../../generated/prisma/client.ts';
import { captureStatement, matchesCharges } from '../accounts/charge-statements.ts';
import type { Dependencies } from '../dependencies.ts';
import { readPages } from '../keyset.ts';
import type { Customer, Drift } from './drift.ts';

const { sql } = Prisma;

type Deps = Pick<Dependencies, 'prisma' | 'query' | 'index'>;

/** How many rows to read per statement. */
const BATCH = 1000;

/**
 * Finds differences between the records, chunks, counts and ledger of a customer. Each check is one
 * statement and reads one snapshot, so concurrent changes are not reported.
 */
export async function* verifyRecords(deps: Deps, customer: Customer): AsyncGenerator<Drift> {
  yield* filesWithoutChunks(deps, customer);
  yield* chunksWithoutFile(deps, customer);
  yield* wrongCounts(deps, customer);
  yield* wrongBalance(deps, customer);
  yield* chargesWithoutEntry(deps, customer);
}

interface FoundFile {
  fileId: string;
  datasetId: string;
}

async function* filesWithoutChunks({ query }: Deps, { key }: Customer): AsyncGenerator<Drift> {
  const pages = readPages(BATCH, (last: FoundFile | undefined) =>
    query<FoundFile>(sql`
      SELECT id::text AS "fileId", dataset_id AS "datasetId" FROM file
      WHERE customer_key = ${key} ${last ? sql`AND id > ${last.fileId}::uuid` : Prisma.empty}
        AND NOT EXISTS (SELECT FROM pending_file AS pending
          WHERE pending.customer_key = file.customer_key AND pending.loader_key = file.loader_key)
        AND NOT EXISTS (SELECT FROM chunk JOIN dataset
            ON dataset.customer_key = chunk.customer_key AND dataset.key = chunk.dataset_key
          WHERE chunk.customer_key = file.customer_key AND chunk.loader_key = file.loader_key
            AND dataset.id = file.dataset_id)
      ORDER BY file.id LIMIT ${BATCH}`),
  );
  for await (const found of pages) {
    for (const { fileId, datasetId } of found) {
      yield { kind: 'file without chunks', datasetId, what: fileId };
    }
  }
}

interface FoundChunks {
  loaderKey: string;
  datasetId: string | null;
}

/** Chunks of a shadow index are skipped: the cut-over removes those without a file. */
async function* chunksWithoutFile(
  { query, index }: Deps,
  { key }: Customer,
): AsyncGenerator<Drift> {
  const pages = readPages(BATCH, (last: FoundChunks | undefined) =>
    query<FoundChunks>(sql`
      SELECT DISTINCT loader_key AS "loaderKey", dataset.id AS "datasetId"
      FROM chunk LEFT JOIN dataset
        ON dataset.customer_key = chunk.customer_key AND dataset.key = chunk.dataset_key
      WHERE chunk.customer_key = ${key} AND loader_key > ${last?.loaderKey ?? '-1'}::bigint
        AND NOT EXISTS (SELECT FROM file
          WHERE file.customer_key = chunk.customer_key AND file.loader_key = chunk.loader_key)
        AND NOT EXISTS (SELECT FROM pending_file AS pending
          WHERE pending.customer_key = chunk.customer_key AND pending.loader_key = chunk.loader_key)
        AND NOT EXISTS (SELECT FROM dataset AS switching
          WHERE switching.customer_key = chunk.customer_key
            AND switching.second_key = chunk.dataset_key)
      ORDER BY loader_key LIMIT ${BATCH}`),
  );
  for await (const found of pages) {
    for (const { loaderKey, datasetId } of found) {
      const repair = () => index.remove(key, [BigInt(loaderKey)]);
      yield { kind: 'chunks without a file', datasetId, what: loaderKey, repair };
    }
  }
}

async function* wrongCounts({ prisma, query }: Deps, { key }: Customer): AsyncGenerator<Drift> {
  const found = await query<{ datasetId: string; counted: number; chunks: number }>(sql`
    SELECT dataset.id AS "datasetId", chunk_count AS counted, chunks
    FROM dataset CROSS JOIN LATERAL (SELECT count(*)::int AS chunks FROM chunk
      WHERE chunk.customer_key = dataset.customer_key AND chunk.dataset_key = dataset.key) AS real
    WHERE dataset.customer_key = ${key} AND chunk_count <> chunks`);
  for (const { datasetId, counted, chunks } of found) {
    const repair = async () => {
      await prisma.$transaction([
        // Adding or removing chunks also updates this row, and waits for the lock.
        prisma.$queryRaw`
          SELECT FROM dataset WHERE customer_key = ${key} AND id = ${datasetId} FOR UPDATE`,
        prisma.$executeRaw`
          UPDATE dataset SET chunk_count = (SELECT count(*) FROM chunk
            WHERE chunk.customer_key = dataset.customer_key AND chunk.dataset_key = dataset.key)
          WHERE customer_key = ${key} AND id = ${datasetId}`,
      ]);
    };
    const what = `${counted} counted, ${chunks} there`;
    yield { kind: 'wrong count of chunks', datasetId, what, repair };
  }
}

/** The ledger is authoritative. */
async function* wrongBalance({ prisma, query }: Deps, { key }: Customer): AsyncGenerator<Drift> {
  const found = await query<{ credits: string; booked: string }>(sql`
    SELECT trim_scale(credits)::text AS credits, trim_scale(booked)::text AS booked
    FROM balance CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS booked FROM credit_entry
      WHERE customer_key = balance.customer_key) AS ledger
    WHERE customer_key = ${key} AND credits <> booked`);
  for (const { credits, booked } of found) {
    const repair = async () => {
      await prisma.$transaction([
        prisma.$queryRaw`SELECT FROM balance WHERE customer_key = ${key} FOR UPDATE`,
        prisma.$executeRaw`
          UPDATE balance SET credits = (SELECT coalesce(sum(amount), 0) FROM credit_entry
            WHERE customer_key = balance.customer_key)
          WHERE customer_key = ${key} AND credits IS NOT NULL`,
      ]);
    };
    const what = `${credits} left, ${booked} by the ledger`;
    yield { kind: 'wrong balance', datasetId: null, what, repair };
  }
}

/** When the customer is unmetered, the budget still pays, and the ledger gets no entry. */
async function* chargesWithoutEntry({ query }: Deps, { key }: Customer): AsyncGenerator<Drift> {
  const found = await query<{ id: string }>(sql`
    SELECT id::text FROM pending_charge WHERE customer_key = ${key}
      AND NOT EXISTS (SELECT FROM credit_entry WHERE customer_key = ${key} AND charge = pending_charge.id)
      AND (token_id IS NULL OR (SELECT credits FROM balance WHERE customer_key = ${key}) IS NOT NULL)`);
  for (const { id } of found) {
    const repair = async () => {
      await query(captureStatement(matchesCharges([{ customerKey: key, id }])));
    };
    yield { kind: 'open charge that was not booked', datasetId: null, what: id, repair };
  }
}
