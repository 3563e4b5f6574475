import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../core/errors.ts';
import type { Setting } from './settings/setting.ts';
import { SETTINGS } from './settings.ts';

/**
 * Reads the secrets that are given as files, such as those that Docker and Kubernetes mount:
 * `OPENAI_API_KEY_FILE` is the path of a file that contains `OPENAI_API_KEY`. White space around the
 * content is removed.
 *
 * @returns the environment with these secrets
 * @throws ConfigurationError when a secret is given twice, or its file cannot be read or is empty
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secrets = Object.entries<Setting>(SETTINGS)
    .filter(([name, { secret }]) => secret && environment[`${name}_FILE`])
    .map(([name]) => [name, readSecretFile(name, environment)]);
  return { ...environment, ...Object.fromEntries(secrets) };
}

function readSecretFile(name: string, environment: NodeJS.ProcessEnv): string {
  const variable = `${name}_FILE`;
  if (environment[name]) {
    throw new ConfigurationError(`${variable}: must not be set together with ${name}`);
  }
  const path = environment[variable] ?? '';
  const secret = readText(variable, path).trim();
  if (secret === '') throw new ConfigurationError(`${variable}: ${path} is empty`);
  return secret;
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`${variable}: ${path} cannot be read (${code ?? message})`);
  }
}
