import { reasonOf } from '../../core/reason-of.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Webhook } from '../../ports/webhook.ts';
import { secondsFromNow } from '../../sql/seconds-from-now.ts';
import { createAutoResetEvent } from '../auto-reset-event.ts';
import { customersDue } from '../customers-due.ts';
import type { Dependencies } from '../dependencies.ts';
import type { IngestionFile, IngestionStatus } from './ingestion.ts';

/** How often each gateway looks for reports that are due. */
const POLL_MS = 1000;
/** Reports that are sent at once. */
const AT_ONCE = 8;
/** The last of them comes about 90 minutes after the first. */
const MAX_ATTEMPTS = 8;

interface Due {
  customerKey: number;
  customerId: string;
  id: string;
  datasetId: string;
  status: IngestionStatus;
  finished: Date;
  files: IngestionFile[];
  /** Including this one. */
  attempts: number;
}

/**
 * Reports the ends of ingestions to the webhook, in the background. A report that is not received is
 * repeated after 1, 4, 16 ... seconds, by any gateway; the receiver may get one twice.
 */
export function createIngestionReports({ query, log }: Pick<Dependencies, 'query' | 'log'>) {
  const wakeup = createAutoResetEvent();

  return {
    /** Called when an ingestion has ended. */
    notice: wakeup.set,

    /** Reports until the signal is aborted. */
    async work(webhook: Webhook, stopping: AbortSignal): Promise<void> {
      while (!stopping.aborted) {
        await wakeup.wait(POLL_MS, stopping);
        const due = stopping.aborted ? [] : await takeDue();
        await Promise.all(due.map((one) => report(webhook, one)));
      }
    },
  };

  /** Takes the reports that are due. Taking one sets its next attempt, so a crash leads to a retry. */
  async function takeDue(): Promise<Due[]> {
    try {
      const taken: Due[] = [];
      for (const customerKey of await customersDue({ query }, 'ingestion', 'webhook_due')) {
        taken.push(...(await takeOf(customerKey, AT_ONCE - taken.length)));
        if (taken.length === AT_ONCE) break;
      }
      return taken;
    } catch (err) {
      log.warn({ err }, 'looking for reports of ingestions failed');
      return [];
    }
  }

  function takeOf(customerKey: number, most: number): Promise<Due[]> {
    return query<Due>(Prisma.sql`
      WITH taken AS (
        UPDATE ingestion SET webhook_attempts = webhook_attempts + 1,
          webhook_due = ${secondsFromNow(Prisma.sql`20 + least(4 ^ webhook_attempts, 3600)`)}
        WHERE customer_key = ${customerKey} AND id IN (SELECT id FROM ingestion
          WHERE customer_key = ${customerKey} AND webhook_due <= now()
          ORDER BY webhook_due LIMIT ${most} FOR UPDATE SKIP LOCKED)
        RETURNING *
      )
      SELECT customer_key AS "customerKey", customer.id AS "customerId", taken.id,
        dataset_id AS "datasetId", status, finished, files, webhook_attempts AS attempts
      FROM taken JOIN customer ON customer.key = customer_key`);
  }

  async function report(webhook: Webhook, due: Due): Promise<void> {
    const { customerKey, customerId, id, datasetId, status, finished, files, attempts } = due;
    let isDone = true;
    try {
      await webhook.send(`ingestion_${id}`, {
        type: status === 'COMPLETED' ? 'ingestion.completed' : 'ingestion.failed',
        timestamp: finished.toISOString(),
        data: {
          ingestionId: id,
          customerId,
          datasetId,
          fileIds: files.map(({ fileId }) => fileId),
        },
      });
    } catch (error) {
      isDone = attempts >= MAX_ATTEMPTS;
      const details = { ingestionId: id, attempts, reason: reasonOf(error) };
      log.warn(details, isDone ? 'the webhook was given up' : 'the webhook failed and is repeated');
    }
    const next = isDone
      ? Prisma.sql`NULL`
      : secondsFromNow(Prisma.sql`${Math.min(4 ** (attempts - 1), 3600)}::int`);
    await query(Prisma.sql`
      UPDATE ingestion SET webhook_due = ${next}
      WHERE customer_key = ${customerKey} AND id = ${id}::uuid`).catch((err: unknown) =>
      log.warn({ err }, 'recording a report of an ingestion failed'),
    );
  }
}
