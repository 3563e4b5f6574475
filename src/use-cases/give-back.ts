import pRetry from 'p-retry';
import type { Charge, Credits } from './credits.ts';
import type { Dependencies } from './dependencies.ts';

/** Tried again after 1, 2, 4 ... seconds, then every minute: for a quarter of an hour in all. */
const AGAIN = { retries: 20, minTimeout: 1000, factor: 2, maxTimeout: 60_000, unref: true };

/**
 * Gives charges back. What took the work away may have taken the database too: then it is tried
 * again until the database is back, and nobody waits for that.
 */
export function createGiveBack({
  credits,
  isOutage,
  log,
}: Pick<Dependencies, 'isOutage' | 'log'> & { credits: Credits }) {
  return async function giveBack(charge: Charge): Promise<void> {
    try {
      await credits.refund(charge);
    } catch (err) {
      if (!isOutage(err)) return lose(err, charge);
      log.warn({ err, charge }, 'a charge is given back when the database is back');
      pRetry(() => credits.refund(charge), {
        ...AGAIN,
        shouldRetry: ({ error }) => isOutage(error),
      }).catch((error: unknown) => lose(error, charge));
    }
  };

  function lose(err: unknown, charge: Charge): void {
    log.error({ err, charge }, 'a charge could not be given back');
  }
}
