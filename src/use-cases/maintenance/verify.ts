import type { Dependencies } from '../dependencies.ts';
import { readPages } from '../keyset.ts';
import type { Customer, Drift } from './drift.ts';
import type { Verified, VerifyOptions } from './maintenance.ts';
import { verifyCopies } from './verify-copies.ts';
import { verifyRecords } from './verify-records.ts';

type Deps = Pick<Dependencies, 'prisma' | 'query' | 'storage' | 'index' | 'log'>;

/** Newer files and copies may still be in transit. */
const YOUNG_MINUTES = 15;
/** Customers that are read concurrently. */
const BATCH = 1000;
/** Inconsistencies that are reported one by one; all are counted. */
const MAX_REPORTED = 100;

/**
 * Finds inconsistencies between records, chunks, stored copies, intents, counts and the ledger. It may run
 * beside gateways: files that are being uploaded or deleted have an intent, and are not reported.
 */
export function createVerify(deps: Deps) {
  const { prisma, log } = deps;

  return async function verify({
    only,
    repair = false,
    youngMinutes = YOUNG_MINUTES,
  }: VerifyOptions & { only?: Customer | undefined } = {}): Promise<Verified> {
    const verified: Verified = { customers: 0, found: 0, repaired: 0, drifts: [] };
    for await (const customer of only ? [only] : allCustomers()) {
      verified.customers += 1;
      const checks = [verifyRecords(deps, customer), verifyCopies(deps, customer, youngMinutes)];
      for (const check of checks) {
        for await (const drift of check) {
          const repaired = repair && (await tryRepair(drift));
          verified.found += 1;
          verified.repaired += Number(repaired);
          if (verified.drifts.length === MAX_REPORTED) continue;
          const { kind, datasetId, what } = drift;
          verified.drifts.push({ customerId: customer.id, kind, datasetId, what, repaired });
        }
      }
    }
    return verified;
  };

  async function* allCustomers(): AsyncGenerator<Customer> {
    const pages = readPages(BATCH, (last: Customer | undefined) =>
      prisma.customer.findMany({
        where: { key: { gt: last?.key ?? 0 } },
        orderBy: { key: 'asc' },
        select: { key: true, id: true },
        take: BATCH,
      }),
    );
    for await (const page of pages) yield* page;
  }

  async function tryRepair({ kind, repair }: Drift): Promise<boolean> {
    if (!repair) return false;
    try {
      await repair();
      return true;
    } catch (err) {
      log.error({ err, kind }, 'a drift could not be repaired');
      return false;
    }
  }
}
