import { CommanderError } from 'commander';
import type { Terminal } from './output.ts';
import { createProgram } from './program.ts';
import { createRunner } from './runner.ts';

/**
 * Runs the filequery command. It works beside a running gateway, on the embedded database too.
 *
 * With `--json` it prints exactly one line of JSON to standard output: the result, or
 * `{"error": "..."}`. Without, errors go to standard error.
 *
 * @param args the arguments after the name of the command
 * @returns the exit code
 */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  const asJson = args.includes('--json');
  const runner = createRunner(terminal, asJson);
  try {
    await createProgram(terminal, runner, asJson).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has already printed it.
    if (error.exitCode !== 0 && asJson) runner.fail(describeUsageError(error));
    return error.exitCode;
  }
  return runner.exitCode();
}

function describeUsageError({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'a command is missing; see filequery --help';
  return message.replace(/^error: /, '');
}
