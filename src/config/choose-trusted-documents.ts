import { resolve } from 'node:path';
import { ConfigurationError } from '../core/errors.ts';
import type { SettingValues } from './settings.ts';

/** Documents that requests can name: the path of a JSON file, and whether others are refused. */
export interface TrustedDocumentsFile {
  path: string;
  only: boolean;
}

/** @throws ConfigurationError when others are to be refused, and there is no file */
export function chooseTrustedDocuments({
  TRUSTED_DOCUMENTS: path,
  TRUSTED_DOCUMENTS_ONLY: only,
}: SettingValues): TrustedDocumentsFile | undefined {
  if (path) return { path: resolve(path), only };
  if (only) {
    throw new ConfigurationError('TRUSTED_DOCUMENTS: must be set when TRUSTED_DOCUMENTS_ONLY is');
  }
  return undefined;
}
