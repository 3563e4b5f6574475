import type { Command } from 'commander';
import { AppError, ConfigurationError } from '../core/errors.ts';
import { PERIODS } from '../core/limits.ts';
import { PERMISSIONS } from '../core/policy.ts';
import type { Runner } from './runner.ts';

interface CreateOptions {
  dataset: string;
  ttl: string;
  permissions?: string;
  filters?: string;
  maxCredits?: string;
}

/** The commands for frontend tokens. */
export function addTokenCommands(
  program: Command,
  { administer }: Pick<Runner, 'administer'>,
): void {
  const token = program
    .command('token')
    .description('frontend tokens, which give access to one dataset');
  token
    .command('create <customer>')
    .description('create a token')
    .requiredOption('--dataset <id>', 'the dataset it gives access to')
    .option('--ttl <seconds>', 'lifetime in seconds', '3600')
    .option(
      '--permissions <names>',
      `what it allows, of ${PERMISSIONS.join(',')}; all of it by default`,
    )
    .option('--filters <json>', 'only files that match: [{"key": "team", "match": {"value": "a"}}]')
    .option('--max-credits <number>', 'the most that can be spent with it')
    .action((whose: string, options: CreateOptions) =>
      administer(async (admin) => {
        const wanted = {
          ttlSeconds: readSeconds(options.ttl),
          permissions: options.permissions?.split(',').map((name) => name.trim().toUpperCase()),
          filters: parseJson(options.filters),
          maxCredits: options.maxCredits,
        };
        const made = admin.createToken(whose, options.dataset, wanted);
        const data = await made.catch(nameOption);
        return { data, text: data.token };
      }),
    );
  token
    .command('revoke <customer> <token-id>')
    .description('revoke a token by its id, the claim jti')
    .action((whose: string, which: string) =>
      administer(async (admin) => {
        const data = await admin.revokeToken(whose, which);
        return {
          data,
          text: `${data.tokenId} is revoked; gateways notice within ${PERIODS.credentialSeconds} seconds.`,
        };
      }),
    );
}

function readSeconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new ConfigurationError('--ttl: must be a whole number of seconds');
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError('--filters: must be JSON');
  }
}

const OPTIONS: Record<string, string> = {
  datasetId: '--dataset',
  ttlSeconds: '--ttl',
  permissions: '--permissions',
  filters: '--filters',
  maxCredits: '--max-credits',
};

/** Messages begin with the name of an input, such as `ttlSeconds must be`. */
function nameOption(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const [, input = '', rest] = /^(\w+) (.*)$/s.exec(error.message) ?? [];
  const option = OPTIONS[input];
  throw option ? new ConfigurationError(`${option}: ${rest}`) : error;
}
