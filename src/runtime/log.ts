import { pino } from 'pino';
import type { Config } from '../config/config.ts';

/** Lines are written together, at the latest after this time: a system call for each is a tenth of a request. */
const FLUSH_MS = 50;
/** In bytes. */
const FLUSHED_AT = 4096;

/**
 * The structured log: one line of JSON per event on standard error, so that user text cannot forge a
 * line. A process that exits writes its last lines before.
 */
export function createLog(level: Config['logLevel']) {
  const stderr = pino.destination({ dest: 2, minLength: FLUSHED_AT, periodicFlush: FLUSH_MS });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr);
}
