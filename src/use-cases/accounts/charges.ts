import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../dependencies.ts';
import type { Charge, Credits } from './credits.ts';

/** Charges that are kept within this are ended together. */
const TOGETHER_MS = 100;
/** Ending charges is tried again after 1, 2, 4 ... seconds, then every minute. */
const AGAIN_MS = { first: 1000, most: 60_000 };
const HEARTBEAT_MS = 60_000;

type End = (credits: Credits, charges: Charge[]) => Promise<unknown>;

/**
 * The open charges of this process, from their booking to their end. No request waits for its
 * charge to be kept: were the process killed before, what was delivered a moment ago is given back;
 * what was not delivered is never paid for.
 */
export function createCharges({
  credits,
  isOutage,
  log,
}: Pick<Dependencies, 'isOutage' | 'log'> & { credits: Credits }) {
  /** With how they are to end, once that is known. */
  const open = new Map<Charge, End | undefined>();
  let pauseMs = AGAIN_MS.first;
  let ending: NodeJS.Timeout | undefined;
  let living: NodeJS.Timeout | undefined;

  return {
    /**
     * Takes a charge.
     *
     * @returns none when the customer is unmetered
     * @throws AppError INSUFFICIENT_CREDITS
     */
    async pay(wanted: Omit<Charge, 'id'>): Promise<Charge | undefined> {
      const charge = { ...wanted, id: randomUUID() };
      open.set(charge, undefined);
      living ??= setInterval(heartbeat, HEARTBEAT_MS).unref();
      try {
        if (await credits.charge(charge)) return charge;
        forget([charge]);
        return undefined;
      } catch (error) {
        // It may have been booked, and its reply lost.
        if (isOutage(error)) end(charge, refundEach, pauseMs);
        else forget([charge]);
        throw error;
      }
    },

    /** For what was delivered. */
    capture(charge: Charge | undefined): void {
      if (charge) end(charge, captureAll, TOGETHER_MS);
    },

    /** For what was not. What took the work away may have taken the database too: then nobody waits. */
    async refund(charge: Charge | undefined): Promise<void> {
      if (!charge) return;
      try {
        await credits.refund(charge);
        forget([charge]);
      } catch (err) {
        log.warn({ err, charge }, 'a charge is given back later');
        end(charge, refundEach, pauseMs);
      }
    },

    /** Ends what can be ended. */
    settle,
  };

  function end(charge: Charge, how: End, waitMs: number): void {
    open.set(charge, how);
    ending ??= setTimeout(settle, waitMs).unref();
  }

  async function settle(): Promise<void> {
    clearTimeout(ending);
    ending = undefined;
    for (const how of [captureAll, refundEach]) {
      const charges = [...open].filter(([, end]) => end === how).map(([charge]) => charge);
      if (charges.length === 0) continue;
      try {
        await how(credits, charges);
        forget(charges);
        pauseMs = AGAIN_MS.first;
      } catch (err) {
        log.warn({ err, charges: charges.length }, 'charges could not be ended');
        ending ??= setTimeout(settle, pauseMs).unref();
        pauseMs = Math.min(2 * pauseMs, AGAIN_MS.most);
      }
    }
  }

  function forget(charges: Charge[]): void {
    for (const charge of charges) open.delete(charge);
    if (open.size > 0) return;
    clearInterval(living);
    living = undefined;
  }

  function heartbeat(): void {
    credits
      .heartbeat([...open.keys()])
      .catch((err: unknown) => log.warn({ err }, 'charges could not show a sign of life'));
  }
}

export type Charges = ReturnType<typeof createCharges>;

function captureAll(credits: Credits, charges: Charge[]): Promise<void> {
  return credits.capture(charges);
}

async function refundEach(credits: Credits, charges: Charge[]): Promise<void> {
  for (const charge of charges) await credits.refund(charge);
}
