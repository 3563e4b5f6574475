import { Command, CommanderError, Option } from 'commander';
import { type Config, readConfig } from '../config/config.ts';
import { AppError, ConfigurationError } from '../core/errors.ts';
import { createLog } from '../runtime/log.ts';
import type { Operator } from '../runtime/operator.ts';
import type { Admin } from '../use-cases/accounts/admin.ts';
import type { Maintenance } from '../use-cases/maintenance/maintenance.ts';
import { doctor } from './doctor.ts';
import { type Outcome, printed, type Terminal, table } from './output.ts';
import { showProgress } from './progress.ts';

/**
 * The filequery command. It works beside a running gateway, on the embedded database too.
 *
 * @param args what follows its name
 * @returns the exit code
 */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  let failed = false;
  const program = createProgram(terminal, () => {
    failed = true;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Help, and what is wrong in the command, are printed by then.
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
  return failed ? 1 : 0;
}

/** @param fail called when a command could not be done or found something wrong */
function createProgram({ environment, out, err }: Terminal, fail: () => void): Command {
  const program = new Command('filequery')
    .description('A gateway to files that you can question.')
    .option('--json', 'print exactly one line of JSON')
    .showHelpAfterError()
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride();

  program
    .command('serve')
    .description('run the gateway')
    .action(() =>
      orFail(async () => {
        const config = readConfig(environment);
        const { serve } = await import('../runtime/serve.ts');
        await serve(config);
      }),
    );

  const customer = program.command('customer').description('who owns datasets and pays');
  customer
    .command('create')
    .description('make a customer with a first API key, which is shown this once')
    .requiredOption('--name <name>', 'what to call it')
    .option('--credits <number>', 'what it may spend', '0')
    .addOption(new Option('--unmetered', 'spend without counting').conflicts('credits'))
    .action((options: { name: string; credits: string; unmetered?: true }) =>
      administer(async (admin) => {
        const credits = options.unmetered ? null : options.credits;
        const made = await admin.createCustomer({ name: options.name, credits });
        return { data: made, text: `customer ${made.customerId}\nAPI key  ${made.apiKey}` };
      }),
    );
  customer
    .command('list')
    .description('all customers')
    .action(() =>
      administer(async (admin) => {
        const data = await admin.listCustomers();
        return { data, text: table(data, 'There is no customer yet.') };
      }),
    );

  const key = program.command('key').description('API keys, which speak for a whole customer');
  key
    .command('create <customer>')
    .description('make a key, which is shown this once')
    .action((whose: string) =>
      administer(async (admin) => {
        const data = await admin.createKey(whose);
        return { data, text: data.apiKey };
      }),
    );
  key
    .command('list <customer>')
    .description('the keys of a customer, by their first characters')
    .action((whose: string) =>
      administer(async (admin) => {
        const data = await admin.listKeys(whose);
        return { data, text: table(data, 'The customer has no key.') };
      }),
    );
  key
    .command('revoke <key>')
    .description('end a key, named by its id or its first characters')
    .action((which: string) =>
      administer(async (admin) => {
        const data = await admin.revokeKey(which);
        return { data, text: `${data.prefix} is revoked; gateways notice within 30 seconds.` };
      }),
    );

  const credits = program.command('credits').description('what customers have left');
  credits
    .command('show <customer>')
    .description('the balance, and the newest lines of the ledger')
    .action((whose: string) =>
      administer(async (admin) => {
        const data = await admin.showCredits(whose);
        const balance = data.credits === null ? 'unmetered' : `${data.credits} credits`;
        return { data, text: `${balance}\n${table(data.entries, 'Nothing was booked yet.')}` };
      }),
    );
  credits
    .command('grant <customer> <amount>')
    .description('add credits')
    .action((whose: string, amount: string) =>
      administer(async (admin) => {
        const data = await admin.grantCredits(whose, amount);
        return { data, text: `${data.credits} credits` };
      }),
    );

  program
    .command('token')
    .description('frontend tokens, which speak for one dataset')
    .command('create <customer>')
    .description('make a token')
    .requiredOption('--dataset <id>', 'the dataset it speaks for')
    .option('--ttl <seconds>', 'how long it is valid', '3600')
    .action((whose: string, options: { dataset: string; ttl: string }) =>
      administer(async (admin) => {
        const data = await admin.createToken(whose, options.dataset, Number(options.ttl));
        return { data, text: data.token };
      }),
    );

  program
    .command('sweep')
    .description('remove what failed uploads and deletions left behind')
    .action(() =>
      maintain(async ({ sweep }) => {
        const data = await sweep();
        return { data, text: `${data.removed} removed, ${data.failed} to try again later` };
      }),
    );

  program
    .command('reindex')
    .description(
      'embed with the present model what another one embedded; it can be stopped and run again',
    )
    .option('--customer <customer>', 'only what this customer has')
    .option('--dataset <id>', 'only this dataset')
    .action(({ customer, dataset }: { customer?: string; dataset?: string }) =>
      maintain(async ({ reindex }) => {
        using progress = showProgress('chunks');
        const data = await reindex({ customer, datasetId: dataset }, progress.show);
        return { data, text: `${data.chunks} chunks of ${data.datasets} datasets` };
      }),
    );

  program
    .command('verify')
    .description('find what does not agree: records, chunks, stored copies, counts and the ledger')
    .option('--customer <customer>', 'only what this customer has')
    .option('--repair', 'mend what can be mended')
    .action((options: { customer?: string; repair?: boolean }) =>
      maintain(async ({ verify }) => {
        const data = await verify(options);
        const { customers, found, repaired, drifts } = data;
        const told = `${found} drifts among ${customers} customers, ${repaired} repaired`;
        return {
          data,
          text: `${table(drifts, 'Everything agrees.')}\n${told}`,
          failed: found > repaired,
        };
      }),
    );

  program
    .command('doctor')
    .description('print the settings and try every part')
    .action(() => run((operator, config) => doctor(operator, config, environment)));

  return program;

  function administer(command: (admin: Admin) => Promise<Outcome>): Promise<void> {
    return run(async (operator) => command(await operator.admin()));
  }

  function maintain(command: (maintenance: Maintenance) => Promise<Outcome>): Promise<void> {
    return run(async (operator) => command(await operator.maintenance()));
  }

  function run(command: (operator: Operator, config: Config) => Promise<Outcome>): Promise<void> {
    return orFail(async () => {
      const config = readConfig(environment);
      const operator = await open(config);
      try {
        report(await command(operator, config));
      } finally {
        await operator.close();
      }
    });
  }

  function report(outcome: Outcome): void {
    out(printed(outcome, program.opts<{ json?: boolean }>().json ?? false));
    if (outcome.failed) fail();
  }

  /** Fails with one line on standard error when the operator can mend what is wrong. */
  async function orFail(command: () => Promise<void>): Promise<void> {
    try {
      await command();
    } catch (error) {
      if (!(error instanceof AppError || error instanceof ConfigurationError)) throw error;
      err(`${error.message}\n`);
      fail();
    }
  }
}

async function open(config: Config): Promise<Operator> {
  // Only here: help, and what is wrong in the command, are told without loading a database.
  const { createOperator } = await import('../runtime/operator.ts');
  return createOperator(config, createLog('warn'));
}
