import type { Command } from 'commander';
import { RANGES } from '../core/limits.ts';
import { SEARCH_MODES } from '../core/search-mode.ts';
import type { Terminal } from './output.ts';
import type { FilterOptions } from './questions/read-filters.ts';
import type { RemoteOptions } from './remote/remote.ts';
import type { Runner } from './runner.ts';

/** The commands that work on a dataset of a gateway, local or remote. */
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
    .option('--parallel <number>', 'requests at once, 1 to 64', '4')
    .option('--watch', 'keep the dataset in sync with one folder, until it is interrupted')
    .action((sources: string[], options: RemoteOptions & { parallel: string; watch?: true }) =>
      reach({ ...options, retries: LONG_WORK_RETRIES }, async (remote) => {
        const { runImport } = await import('./import/import-command.ts');
        return runImport(remote, { ...options, sources }, terminal);
      }),
    );

  remoteCommand(
    'export <folder>',
    'write records and stored copies into a folder, which can be imported again',
  ).action((folder: string, options: RemoteOptions) =>
    reach({ ...options, retries: LONG_WORK_RETRIES }, async (remote) => {
      const { exportDataset } = await import('./export/export-dataset.ts');
      return exportDataset(remote, folder, terminal);
    }),
  );

  filteredCommand('files', 'list the files of a dataset').action((options: FilteredOptions) =>
    reach(options, async (remote) => {
      const { showFiles } = await import('./questions/show-files.ts');
      return showFiles(remote, options);
    }),
  );

  filteredCommand('ask <question>', 'ask a question, and read the answer as it is written').action(
    (question: string, options: FilteredOptions) =>
      reach(options, async (remote) => {
        const { ask } = await import('./questions/ask.ts');
        return ask(remote, { ...options, question }, asJson ? () => {} : terminal.out);
      }),
  );

  filteredCommand('search <question>', 'search for the best chunks')
    .option('--limit <number>', `chunks, ${RANGES.searchHits.min} to ${RANGES.searchHits.max}`)
    .option('--mode <mode>', SEARCH_MODES.join(', '))
    .action((question: string, options: FilteredOptions & { limit?: string; mode?: string }) =>
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

  function filteredCommand(usage: string, description: string): Command {
    return remoteCommand(usage, description)
      .option(
        '--filter <key=value>',
        'only what has this metadata; can be repeated, and all must match',
        (pair: string, others: string[] = []) => [...others, pair],
      )
      .option(
        '--filters <json>',
        'the same as JSON, as in REST: [{"key": "year", "range": {"gte": 2020}}]',
      );
  }
}

/** How often requests of long work are sent again: a gateway may be started anew meanwhile. */
const LONG_WORK_RETRIES = 6;

type FilteredOptions = RemoteOptions & FilterOptions;
