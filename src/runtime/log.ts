import { pino } from 'pino';
import type { Config } from '../config/config.ts';

/** The structured log: one line of JSON per event on standard error, so that user text cannot forge a line. */
export function createLog(level: Config['logLevel']) {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
