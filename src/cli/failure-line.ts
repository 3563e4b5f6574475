import { styleText } from 'node:util';
import { printable } from './output.ts';

/**
 * The line that says what went wrong with a file; in red, if standard error has colours and `NO_COLOR` is
 * not set.
 */
export function failureLine(name: string, reason: string): string {
  return styleText('red', `${printable(name)}: ${printable(reason)}`, { stream: process.stderr });
}
