import { Command, Option } from 'commander';
import { VERSION } from '../config/version.ts';
import { PERIODS } from '../core/limits.ts';
import { addHelp } from './add-help.ts';
import { addCompletion } from './completion.ts';
import { addDatasetCommands } from './dataset-commands.ts';
import { doctor } from './doctor.ts';
import { type Terminal, table } from './output.ts';
import { showProgress } from './progress.ts';
import type { Runner } from './runner.ts';
import { addShardCommand } from './shard-command.ts';
import { addTokenCommands } from './token-commands.ts';

/** The commands with their arguments and options. */
export function createProgram(
  terminal: Terminal,
  { administer, maintain, operate, reach, serve, serveMcp }: Runner,
  asJson: boolean,
): Command {
  const { environment, out, err } = terminal;
  const program = new Command('filequery')
    .description('A gateway to files that you can question.')
    .version(asJson ? JSON.stringify({ version: VERSION }) : VERSION)
    .option('--json', 'print exactly one line of JSON, also when the command fails')
    .showHelpAfterError()
    // With --json, usage errors are printed as JSON by `runCommand`.
    .configureOutput({ writeOut: out, writeErr: asJson ? () => {} : err })
    .exitOverride();

  program.command('serve').description('run the gateway').action(serve);

  program
    .command('mcp')
    .description('speak the Model Context Protocol on standard input and output, for assistants')
    .option('--folder <path>', 'import the files of this folder, and serve them')
    .option('--url <url>', 'a gateway; its API key or token is in FILEQUERY_API_KEY')
    .option('--dataset <id>', 'the dataset to serve; by default that of the folder or token')
    .option('--customer <customer>', 'whose dataset it is, if there are several customers')
    .action(serveMcp);

  addDatasetCommands(program, { reach }, terminal, asJson);

  const customer = program.command('customer').description('customers, who own datasets and pay');
  customer
    .command('create')
    .description('create a customer and its first API key, which is shown only once')
    .requiredOption('--name <name>', 'its name')
    .option('--credits <number>', 'its initial balance', '0')
    .addOption(new Option('--unmetered', 'do not charge this customer').conflicts('credits'))
    .action((options: { name: string; credits: string; unmetered?: true }) =>
      administer(async (admin) => {
        const credits = options.unmetered ? null : options.credits;
        const made = await admin.createCustomer({ name: options.name, credits });
        return { data: made, text: `customer ${made.customerId}\nAPI key  ${made.apiKey}` };
      }),
    );
  customer
    .command('list')
    .description('list all customers')
    .action(() =>
      administer(async (admin) => {
        const data = await admin.listCustomers();
        return { data, text: table(data, 'There is no customer yet.') };
      }),
    );

  const key = program
    .command('key')
    .description('API keys, which give access to all data of a customer');
  key
    .command('create <customer>')
    .description('create a key, which is shown only once')
    .action((whose: string) =>
      administer(async (admin) => {
        const data = await admin.createKey(whose);
        return { data, text: data.apiKey };
      }),
    );
  key
    .command('list <customer>')
    .description('list the keys of a customer by their first characters')
    .action((whose: string) =>
      administer(async (admin) => {
        const data = await admin.listKeys(whose);
        return { data, text: table(data, 'The customer has no key.') };
      }),
    );
  key
    .command('revoke <key>')
    .description('revoke a key: its id, its prefix as `key list` shows it, or the whole key')
    .action((which: string) =>
      administer(async (admin) => {
        const data = await admin.revokeKey(which);
        return {
          data,
          text: `${data.prefix} is revoked; gateways notice within ${PERIODS.credentialSeconds} seconds.`,
        };
      }),
    );

  const credits = program.command('credits').description('balances and ledgers');
  credits
    .command('show <customer>')
    .description('show the balance and the newest entries of the ledger')
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

  addTokenCommands(program, { administer });

  program
    .command('sweep')
    .description('complete what was interrupted: deletions, failed uploads and charges')
    .action(() =>
      maintain(async ({ sweep }) => {
        const data = await sweep();
        return { data, text: `${data.removed} removed, ${data.failed} to try again later` };
      }),
    );

  program
    .command('reindex')
    .description(
      'embed chunks of another embedding model again with the current one; can be interrupted and resumed',
    )
    .option('--customer <customer>', 'only the data of this customer')
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
    .description(
      'find inconsistencies between records, chunks, stored files, counts and the ledger',
    )
    .option('--customer <customer>', 'only the data of this customer')
    .option('--repair', 'repair what can be repaired')
    .action((options: { customer?: string; repair?: boolean }) =>
      maintain(async ({ verify }) => {
        const data = await verify(options);
        const { customers, found, repaired, drifts } = data;
        const summary = `${found} inconsistencies among ${customers} customers, ${repaired} repaired`;
        return {
          data,
          text: `${table(drifts, 'Everything agrees.')}\n${summary}`,
          failed: found > repaired,
        };
      }),
    );

  addShardCommand(program, { operate }, terminal);

  program
    .command('doctor')
    .description('print the settings and check every part')
    .action(() => operate((operator, config) => doctor(operator, config, environment)));

  addCompletion(program, out);
  addHelp(program);
  return program;
}
