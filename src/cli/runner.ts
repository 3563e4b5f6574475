import { type Config, readConfig } from '../config/config.ts';
import { AppError, ConfigurationError } from '../core/errors.ts';
import { createLog } from '../runtime/log.ts';
import type { Operator } from '../runtime/operator.ts';
import type { Admin } from '../use-cases/accounts/admin.ts';
import type { Maintenance } from '../use-cases/maintenance/maintenance.ts';
import type { McpCommand } from './mcp/serve-mcp.ts';
import { type Outcome, printed, type Terminal } from './output.ts';

export type Runner = ReturnType<typeof createRunner>;

/** Runs the actions of commands, prints their outcomes and failures, and remembers the exit code. */
export function createRunner(terminal: Terminal, asJson: boolean) {
  const { environment, out, err } = terminal;
  let failed = false;
  return {
    /** Runs an action that needs the database only. */
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

    exitCode: () => (failed ? 1 : 0),
  };

  function operate(
    action: (operator: Operator, config: Config) => Promise<Outcome>,
  ): Promise<void> {
    return reportFailures(async () => {
      const config = readConfig(environment);
      const outcome = await withOperator(config, (operator) => action(operator, config));
      out(printed(outcome, asJson));
      failed = outcome.failed ?? false;
    });
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
    failed = true;
    if (asJson) out(`${JSON.stringify({ error: message })}\n`);
    else err(`${message}\n`);
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
