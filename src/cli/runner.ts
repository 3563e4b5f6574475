import { constants } from 'node:os';
import { type Config, readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import { AppError, ConfigurationError } from '../core/errors.ts';
import { createLog } from '../runtime/log.ts';
import type { Admin, Maintenance, Operator } from '../runtime/operator.ts';
import type { McpCommand } from './mcp/serve-mcp.ts';
import { type Outcome, printableLines, printed, type Terminal } from './output.ts';
import { describeFailure, isFailureOfRemote } from './remote/describe-failure.ts';
import { type Remote, type RemoteOptions, readRemote } from './remote/remote.ts';

/** The exit code that shells use for SIGINT. */
const INTERRUPTED = 128 + constants.signals.SIGINT;

export type Runner = ReturnType<typeof createRunner>;

/** Runs the actions of commands, prints their outcomes and failures, and remembers the exit code. */
export function createRunner(terminal: Terminal, asJson: boolean) {
  const { environment, out, err } = terminal;
  let code = 0;
  return {
    /** Runs an action that only needs the database. */
    administer: (action: (admin: Admin) => Promise<Outcome>) =>
      operate(async (operator) => action(await operator.admin())),

    /** Runs an action that needs the database, the storage and the embedding model. */
    maintain: (action: (maintenance: Maintenance) => Promise<Outcome>) =>
      operate(async (operator) => action(await operator.maintenance())),

    operate,

    /** Runs the gateway until it is stopped. */
    serve: () =>
      reportFailures(async () => {
        const config = readConfig(environment);
        const { serve } = await import('../runtime/serve.ts');
        await serve(config);
      }),

    /** Speaks MCP on standard input and output until the input ends. */
    serveMcp: (command: McpCommand) =>
      reportFailures(async () => {
        const { serveMcp } = await import('./mcp/serve-mcp.ts');
        await serveMcp(command, terminal);
      }),

    fail,

    /** Runs an action that works on a dataset of a gateway, local or remote. */
    reach: (options: RemoteOptions, action: (remote: Remote) => Promise<Outcome>) =>
      reportFailures(async () => {
        const remote = readRemote(options, environment ?? readEnvironment());
        try {
          report(await action(remote));
        } catch (error) {
          if (error instanceof Error && error.name === 'AbortError') {
            fail('interrupted');
            code = INTERRUPTED;
          } else if (isFailureOfRemote(error)) fail(`${remote.url}: ${describeFailure(error)}`);
          else throw error;
        }
      }),

    exitCode: () => code,
  };

  function operate(
    action: (operator: Operator, config: Config) => Promise<Outcome>,
  ): Promise<void> {
    return reportFailures(async () => {
      const config = readConfig(environment);
      const outcome = await withOperator(config, (operator) => action(operator, config));
      report(outcome);
    });
  }

  function report(outcome: Outcome): void {
    out(printed(outcome, asJson));
    if (outcome.failed) code = 1;
    if (outcome.cutBy) code = 128 + constants.signals[outcome.cutBy];
  }

  /** Prints a failure that the operator can correct; any other is also thrown. */
  async function reportFailures(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (error instanceof AppError || error instanceof ConfigurationError) {
        return fail(error.message);
      }
      if (asJson) fail('an unexpected failure; see standard error');
      throw error;
    }
  }

  function fail(message: string): void {
    code = 1;
    if (asJson) out(`${JSON.stringify({ error: message })}\n`);
    // It may name files, and names are text of others.
    else err(`${printableLines(message)}\n`);
  }
}

async function withOperator<T>(
  config: Config,
  action: (operator: Operator) => Promise<T>,
): Promise<T> {
  // Imported here, so that help and usage errors do not load a database.
  const { createOperator } = await import('../runtime/operator.ts');
  const operator = createOperator(config, createLog('warn'));
  try {
    return await action(operator);
  } finally {
    await operator.close();
  }
}
