import { type Command, Option } from 'commander';
import { PERIODS } from '../core/limits.ts';
import { table } from './output.ts';
import type { Runner } from './runner.ts';

/** The commands for customers, their API keys and their credits. */
export function addCustomerCommands(program: Command, runner: Pick<Runner, 'administer'>): void {
  addCustomers(program, runner);
  addKeys(program, runner);
  addCredits(program, runner);
}

function addCustomers(program: Command, { administer }: Pick<Runner, 'administer'>): void {
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
}

function addKeys(program: Command, { administer }: Pick<Runner, 'administer'>): void {
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
}

function addCredits(program: Command, { administer }: Pick<Runner, 'administer'>): void {
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
}
