import { ConfigurationError } from '../core/errors.ts';

/**
 * The environment variables of the process, with those of the file `.env` in the working directory
 * if there is one. A variable that is set overrides the file.
 *
 * @throws ConfigurationError when the file cannot be read
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new ConfigurationError('.env: must be a readable file');
  }
  return process.env;
}
