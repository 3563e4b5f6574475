import { type Command, InvalidArgumentError } from 'commander';
import type { Terminal } from './output.ts';
import type { Runner } from './runner.ts';

/** Citus allows more; each takes a connection of a statement about all customers. */
const MOST_SHARDS = 1024;

/** The command that distributes the tables over the servers of a Citus cluster. */
export function addShardCommand(
  program: Command,
  { operate }: Pick<Runner, 'operate'>,
  { err }: Terminal,
): void {
  program
    .command('shard')
    .description('distribute the tables over the servers of a Citus cluster; can be repeated')
    .option('--shards <number>', 'parts of each table, at least as many as servers', readShards, 32)
    .action((options: { shards: number }) =>
      operate(async (operator) => {
        const onStep = (step: string) => err(`${step}\n`);
        const data = await operator.shard({ ...options, onStep });
        const now = [...data.copied, ...data.distributed];
        const text =
          now.length > 0
            ? `${now.length} tables are distributed now: restart the gateways`
            : `all ${data.unchanged.length} tables were distributed already`;
        return { data, text };
      }),
    );
}

function readShards(value: string): number {
  const shards = Number(value);
  if (/^\d+$/.test(value) && shards >= 1 && shards <= MOST_SHARDS) return shards;
  throw new InvalidArgumentError(`It must be between 1 and ${MOST_SHARDS}.`);
}
