import { constants } from 'node:os';

/** The exit code that shells use for a program ended by SIGPIPE; Node.js ignores that signal. */
const CLOSED = 128 + constants.signals.SIGPIPE;

/**
 * Ends the process when its output is no longer read, as after `| head`, or when standard output
 * cannot be written, as on a full disk. Without it, Node.js would print a stack trace.
 */
export function endWithoutOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(CLOSED);
    process.stderr.write(`standard output: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? CLOSED : 1);
  });
}
