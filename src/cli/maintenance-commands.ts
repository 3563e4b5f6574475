import type { Command } from 'commander';
import { table } from './output.ts';
import { showProgress } from './progress.ts';
import type { Runner } from './runner.ts';

/** The commands that complete, repair and check what is stored. */
export function addMaintenanceCommands(
  program: Command,
  { maintain }: Pick<Runner, 'maintain'>,
): void {
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
}
