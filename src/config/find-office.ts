import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ConfigurationError } from '../core/errors.ts';

const PROGRAMS = ['soffice', 'libreoffice'];
/** The path on macOS, where it is not in PATH. */
const ON_MAC = '/Applications/LibreOffice.app/Contents/MacOS/soffice';

/**
 * The program of LibreOffice: the one that is set, otherwise the first that is installed.
 *
 * @param setting a path, `none`, or nothing
 * @param path the variable PATH
 * @throws ConfigurationError when the one that is set cannot be run
 */
export function findOffice(setting: string | undefined, path = ''): string | undefined {
  if (setting === 'none') return undefined;
  if (setting) {
    if (isExecutable(setting)) return setting;
    throw new ConfigurationError(
      `LIBREOFFICE_PATH: must be a program that can be run, not ${setting}`,
    );
  }
  const folders = path.split(delimiter).filter(Boolean);
  const candidates = folders.flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  return [...candidates, ...(path ? [ON_MAC] : [])].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
