import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect the whole heap when it has become three times as large as what was in use, for
 * this process. By default a gateway, whose heap is small, collects it every few hundred searches,
 * and each time several requests wait some milliseconds.
 */
export function tuneGarbageCollection(): void {
  // Not an option of the command line: this one is not allowed in NODE_OPTIONS, and users start Node.
  setFlagsFromString('--heap-growing-percent=200');
}
