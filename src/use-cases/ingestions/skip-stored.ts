import { randomUUID } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Charge } from '../accounts/charge-statements.ts';
import type { Credits } from '../accounts/credits.ts';
import type { Dependencies } from '../dependencies.ts';
import { storedHashes } from '../files/duplicates.ts';
import { type FileIntent, toFileIntent } from '../files/remove-files.ts';
import { matchesFiles } from '../files/staged-files.ts';
import { isOurs, type LeasedIngestion } from './ingestion-leases.ts';

/**
 * Removes duplicates from an ingestion with `onDuplicate: SKIP`, files whose content was added to the
 * dataset meanwhile, and refunds them: a smaller charge replaces the charge.
 */
export function createSkipStored({
  prisma,
  query,
  credits,
}: Pick<Dependencies, 'prisma' | 'query'> & { credits: Credits }) {
  /** @returns what is to be removed; `leased` is as it is afterwards */
  return async function skipStored(leased: LeasedIngestion): Promise<FileIntent[]> {
    const { customerKey, duplicates } = leased;
    if (duplicates?.onDuplicate !== 'SKIP') return [];
    const owner = { ...leased, filters: duplicates.filters };
    const found = await query<{ hash: string }>(storedHashes(owner, leased));
    if (found.length === 0) return [];
    const stored = new Set(found.map(({ hash }) => hash));
    const skipped = leased.files.filter(({ contentHash }) => stored.has(contentHash));
    const files = leased.files.filter(({ contentHash }) => !stored.has(contentHash));
    const hashes = skipped.map(({ contentHash }) => contentHash);
    const next = {
      files,
      intents: files.map(toFileIntent),
      duplicates: { ...duplicates, skipped: [...duplicates.skipped, ...hashes] },
      charge: leased.charge && files.length > 0 ? randomUUID() : null,
    };
    const paid = chargeOf(leased);
    const rest = chargeOf({ ...leased, ...next });
    const dropped = skipped.map(toFileIntent);
    await prisma.$transaction(async (tx) => {
      const isKept = await tx.$executeRaw`
        WITH dropped AS (
          UPDATE pending_file SET due = now()
          WHERE ${matchesFiles(customerKey, dropped)} AND EXISTS (SELECT FROM ingestion WHERE ${isOurs(leased)})
          RETURNING 1
        )
        UPDATE ingestion SET files = ${JSON.stringify(files)}::jsonb, file_count = ${files.length},
          duplicates = ${JSON.stringify(next.duplicates)}::jsonb, charge = ${next.charge}::uuid,
          purse_amount = CASE WHEN purse IS NOT NULL THEN ${rest?.amount.toFixed() ?? null}::numeric END,
          done_count = least(done_count, ${files.length}), version = version + 1
        WHERE ${isOurs(leased)} AND (SELECT count(*) FROM dropped) >= 0`;
      if (isKept === 0) throw new Error('the lease of the ingestion was lost');
      if (paid) await credits.replace(paid, rest, tx);
    });
    Object.assign(leased, next);
    return dropped;
  };
}

function chargeOf(ingestion: LeasedIngestion): Charge | undefined {
  const { customerKey, charge, files, duplicates, budgetTokenId, requestId } = ingestion;
  if (!charge || !duplicates?.price) return undefined;
  const { each, reason } = duplicates.price;
  return {
    customerKey,
    id: charge,
    amount: new Prisma.Decimal(each).mul(files.length),
    reason,
    reference: requestId,
    budgetTokenId: budgetTokenId ?? undefined,
  };
}
