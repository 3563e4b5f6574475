import { Command } from 'commander';
import { VERSION } from '../config/version.ts';
import { addHelp } from './add-help.ts';
import { addCompletion } from './completion.ts';
import { addCustomerCommands } from './customer-commands.ts';
import { addDatasetCommands } from './dataset-commands.ts';
import { doctor } from './doctor.ts';
import { addMaintenanceCommands } from './maintenance-commands.ts';
import type { Terminal } from './output.ts';
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
  addCustomerCommands(program, { administer });
  addTokenCommands(program, { administer });
  addMaintenanceCommands(program, { maintain });
  addShardCommand(program, { operate }, terminal);

  program
    .command('doctor')
    .description('print the settings and check every part')
    .action(() => operate((operator, config) => doctor(operator, config, environment)));

  addCompletion(program, out);
  addHelp(program);
  return program;
}
