import type { Command } from 'commander';

/** `help <command>`. Commander's own prints the whole help for a command that does not exist. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('display help for a command')
    .argument('[command...]')
    .action((names: string[]) => {
      let command = program;
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name);
        if (!found) return program.error(`error: unknown command '${names.join(' ')}'`);
        command = found;
      }
      command.help();
    });
}
