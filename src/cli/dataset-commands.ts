import type { Command } from 'commander';
import { RANGES } from '../core/limits.ts';
import { SEARCH_MODES } from '../core/search-mode.ts';
import type { Terminal } from './output.ts';
import type { RemoteOptions } from './remote/remote.ts';
import type { Runner } from './runner.ts';

/** The commands that work on a dataset of a gateway, wherever it runs. */
export function addDatasetCommands(
  program: Command,
  { reach }: Pick<Runner, 'reach'>,
  terminal: Terminal,
  asJson: boolean,
): void {
  remoteCommand(
    'import <paths...>',
    'import files, folders and patterns; can be interrupted and continued',
  )
    .option('--parallel <number>', 'files at once, 1 to 64', '4')
    .option('--watch', 'keep the dataset like one folder, until it is interrupted')
    .action((sources: string[], options: RemoteOptions & { parallel: string; watch?: true }) =>
      reach(options, async (remote) => {
        const { runImport } = await import('./import/import-command.ts');
        return runImport(remote, { ...options, sources }, terminal);
      }),
    );

  remoteCommand(
    'export <folder>',
    'write records and stored copies into a folder, which can be imported again',
  ).action((folder: string, options: RemoteOptions) =>
    reach(options, async (remote) => {
      const { exportDataset } = await import('./export/export-dataset.ts');
      return exportDataset(remote, folder, terminal);
    }),
  );

  remoteCommand('files', 'list the files of a dataset').action((options: RemoteOptions) =>
    reach(options, async (remote) => {
      const { showFiles } = await import('./questions/show-files.ts');
      return showFiles(remote);
    }),
  );

  questionCommand('ask <question>', 'ask a question, and read the answer as it is written').action(
    (question: string, options: QuestionOptions) =>
      reach(options, async (remote) => {
        const { ask } = await import('./questions/ask.ts');
        return ask(remote, { ...options, question }, asJson ? () => {} : terminal.out);
      }),
  );

  questionCommand('search <question>', 'search for the best chunks')
    .option('--limit <number>', `chunks, ${RANGES.searchHits.min} to ${RANGES.searchHits.max}`)
    .option('--mode <mode>', SEARCH_MODES.join(', '))
    .action((question: string, options: QuestionOptions & { limit?: string; mode?: string }) =>
      reach(options, async (remote) => {
        const { search } = await import('./questions/search.ts');
        return search(remote, { ...options, question });
      }),
    );

  function remoteCommand(usage: string, description: string): Command {
    return program
      .command(usage)
      .description(description)
      .option('--dataset <id>', 'the dataset; by default that of the token')
      .option('--url <url>', 'the gateway; by default FILEQUERY_URL, or http://127.0.0.1:4000')
      .option(
        '--key <key>',
        'API key or token; better in FILEQUERY_API_KEY: arguments are visible to others',
      );
  }

  function questionCommand(usage: string, description: string): Command {
    return remoteCommand(usage, description).option(
      '--filters <json>',
      'only chunks that match: [{"key": "team", "match": {"value": "a"}}]',
    );
  }
}

interface QuestionOptions extends RemoteOptions {
  filters?: string;
}
