import { pino } from 'pino';
import type { Config } from '../config/config.ts';

/**
 * Lines are written in batches, at the latest after this time: a system call per line takes a tenth of a
 * request.
 */
const FLUSH_MS = 50;
/** In bytes. */
const FLUSHED_AT = 4096;

/**
 * The structured log: one line of JSON per event on standard error, so that user text cannot forge a
 * line. Lines are written in batches; a process that exits writes the last one first.
 *
 * @param level the lowest level to log
 * @returns a logger of pino, which can be passed wherever a `Log` is expected
 */
export function createLog(level: Config['logLevel']) {
  const stderr = pino.destination({ dest: 2, minLength: FLUSHED_AT });
  let isFlushing = false;
  const flush = () => {
    isFlushing = false;
    stderr.flush();
  };
  // Pino's `periodicFlush` would write an empty string each time when nothing is logged.
  const write = (line: string) => {
    stderr.write(line);
    if (isFlushing) return;
    isFlushing = true;
    setTimeout(flush, FLUSH_MS).unref();
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
