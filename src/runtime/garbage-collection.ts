import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Makes V8 collect the whole heap when it has become three times as large as what was in use, for
 * this process. By default a gateway, whose heap is small, collects it every few hundred searches,
 * and each time several requests wait for some milliseconds.
 */
export function collectSeldom(): void {
  // Not a command-line option: it is not allowed in NODE_OPTIONS, and users start Node themselves.
  setFlagsFromString('--heap-growing-percent=200');
}

/**
 * Collects all garbage, such as that of a start, and returns the memory to the system, in about
 * 0.1 s. Otherwise V8 keeps about 90 MB in reserve, which an idle process does not need.
 */
export function collectNow(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
