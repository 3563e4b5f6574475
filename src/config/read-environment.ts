import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError } from '../core/errors.ts';

/**
 * The environment variables of the process, with those of the file `.env` in the working directory
 * if there is one. A variable that is set overrides the file.
 *
 * @throws ConfigurationError when the file cannot be read
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  for (const [name, value] of Object.entries(parseEnv(readEnvFile()))) {
    process.env[name] ??= value;
  }
  return process.env;
}

/** `process.loadEnvFile` takes a file without permission for one that is not there. */
function readEnvFile(): string {
  try {
    // Some editors begin files with a byte order mark, which would belong to the first name.
    return readFileSync('.env', 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new ConfigurationError('.env: must be a readable file');
  }
}
