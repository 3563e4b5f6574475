import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import type { Dependencies } from '../dependencies.ts';
import type { Charge } from './charge-statements.ts';
import type { Credits } from './credits.ts';

/** Charges that are captured within this time share one statement. */
const BATCH_MS = 100;
/** Failed captures and refunds are retried after 1, 2, 4 ... seconds, then every minute. */
const RETRY_MS = { first: 1000, most: 60_000 };
const HEARTBEAT_MS = 60_000;
/** On a distributed database; each is of one customer. */
const CAPTURES_AT_ONCE = 4;

type Outcome = (credits: Credits, charges: Charge[]) => Promise<unknown>;

/**
 * The open charges of this process. No request waits for its charge to be captured: if the process is
 * killed before that, the charge is refunded although its result was delivered. Work that fails before its
 * first result is refunded, too; a request whose client disconnects is charged.
 */
export function createCharges({
  credits,
  isDistributed,
  isOutage,
  log,
}: Pick<Dependencies, 'isDistributed' | 'isOutage' | 'log'> & { credits: Credits }) {
  const captureAll = isDistributed ? captureByCustomer : captureTogether;
  /** Each with its outcome, once that is decided. */
  const open = new Map<Charge, Outcome | undefined>();
  let pauseMs = RETRY_MS.first;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer runs, as of `performance.now()`. */
  let runsAt = 0;
  let heartbeats: NodeJS.Timeout | undefined;

  return {
    /**
     * Makes a charge.
     *
     * @param id a UUID that was never charged before
     * @returns none when the customer is unmetered and there is no budget
     * @throws AppError INSUFFICIENT_CREDITS
     */
    async pay(wanted: Omit<Charge, 'id'>, id: string = randomUUID()): Promise<Charge | undefined> {
      const charge = { ...wanted, id };
      open.set(charge, undefined);
      heartbeats ??= setInterval(heartbeat, HEARTBEAT_MS).unref();
      try {
        if (await credits.charge(charge)) return charge;
        forget([charge]);
        return undefined;
      } catch (error) {
        // The charge may have been made, and only the reply lost.
        if (isOutage(error)) end(charge, refundEach, pauseMs);
        else forget([charge]);
        throw error;
      }
    },

    /** Makes a charge final, because its result was delivered. */
    capture(charge: Charge | undefined): void {
      if (charge) end(charge, captureAll, BATCH_MS);
    },

    /**
     * Refunds a charge. When the database is unavailable, the refund is retried later, without waiting for
     * it.
     */
    async refund(charge: Charge | undefined): Promise<void> {
      if (!charge) return;
      try {
        await credits.refund(charge);
        forget([charge]);
      } catch (err) {
        log.warn({ err, charge }, 'a refund failed and will be retried');
        end(charge, refundEach, pauseMs);
      }
    },

    /** Captures and refunds what has been decided. */
    settle,
  };

  function end(charge: Charge, outcome: Outcome, waitMs: number): void {
    open.set(charge, outcome);
    settleWithin(waitMs);
  }

  function settleWithin(waitMs: number): void {
    const at = performance.now() + waitMs;
    if (timer && runsAt <= at) return;
    clearTimeout(timer);
    timer = setTimeout(settle, waitMs).unref();
    runsAt = at;
  }

  async function settle(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const outcome of [captureAll, refundEach]) {
      const charges = [...open].filter(([, one]) => one === outcome).map(([charge]) => charge);
      if (charges.length === 0) continue;
      try {
        await outcome(credits, charges);
        forget(charges);
        pauseMs = RETRY_MS.first;
      } catch (err) {
        log.warn({ err, charges: charges.length }, 'charges could not be captured or refunded');
        settleWithin(pauseMs);
        pauseMs = Math.min(2 * pauseMs, RETRY_MS.most);
      }
    }
  }

  function forget(charges: Charge[]): void {
    for (const charge of charges) open.delete(charge);
    if (open.size > 0) return;
    clearInterval(heartbeats);
    heartbeats = undefined;
  }

  function heartbeat(): void {
    credits
      .heartbeat([...open.keys()])
      .catch((err: unknown) => log.warn({ err }, 'the heartbeat of open charges failed'));
  }
}

export type Charges = ReturnType<typeof createCharges>;

function captureTogether(credits: Credits, charges: Charge[]): Promise<void> {
  return credits.capture(charges);
}

/** A statement about several customers would run on all servers. */
async function captureByCustomer(credits: Credits, charges: Charge[]): Promise<void> {
  const byCustomer = Map.groupBy(charges, ({ customerKey }) => customerKey);
  await pMap(byCustomer.values(), (own) => credits.capture(own), { concurrency: CAPTURES_AT_ONCE });
}

async function refundEach(credits: Credits, charges: Charge[]): Promise<void> {
  for (const charge of charges) await credits.refund(charge);
}
