import { Argument, type Command } from 'commander';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `completion <shell>` prints a script that completes commands and options, and else files. */
export function addCompletion(program: Command, out: (text: string) => void): void {
  program
    .command('completion')
    .description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => out(SCRIPTS[shell](commandsOf(program))));
}

/** A command with the names that lead to it: none for the program itself. */
interface Known {
  names: string[];
  command: Command;
}

function commandsOf(command: Command, names: string[] = []): Known[] {
  const below = command.commands.flatMap((one) => commandsOf(one, [...names, one.name()]));
  return [{ names, command }, ...below];
}

function bashScript(known: Known[]): string {
  return `_filequery() {
  local at= word list=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${caseStatements(known)}
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _filequery filequery
`;
}

function zshScript(known: Known[]): string {
  return `#compdef filequery
_filequery() {
  local at= word list=
  for word in "\${(@)words[2,CURRENT-1]}"; do
${caseStatements(known)}
  compadd -- \${=list} || _files
}
compdef _filequery filequery
`;
}

/** Finds the command that is typed, and the words that may follow it; the same in both shells. */
function caseStatements(known: Known[]): string {
  const paths = known.map(({ names }) => names.map((name) => ` ${name}`).join(''));
  const lists = known.map(
    ({ command }, index) => `    '${paths[index]}') list='${words(command)}' ;;`,
  );
  return `    case "$at $word" in
      ${paths
        .slice(1)
        .map((path) => `'${path}'`)
        .join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${lists.join('\n')}
  esac`;
}

function words(command: Command): string {
  const options = command.createHelp().visibleOptions(command);
  return [
    ...command.commands.map((one) => one.name()),
    ...options.flatMap(({ long }) => long ?? []),
  ].join(' ');
}

function fishScript(known: Known[]): string {
  const lines = known.flatMap(({ names, command }) => {
    const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
    const below = command.commands.map((one) => one.name()).join(' ');
    const open = below && `not __fish_seen_subcommand_from ${below}`;
    const commands = command.commands.map((one) =>
      fishLine([...seen, open], `-f -a ${one.name()}`, one.description()),
    );
    const options = command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description }) =>
        long ? [fishLine(seen, `-l ${long.slice(2)}`, description)] : [],
      );
    return [...commands, ...options];
  });
  return `${lines.join('\n')}\n`;
}

function fishLine(conditions: string[], what: string, description: string): string {
  const when = conditions.filter(Boolean).join('; and ');
  const text = description.replace(/[\\']/g, '\\$&');
  return `complete -c filequery ${when && `-n '${when}' `}${what} -d '${text}'`;
}
