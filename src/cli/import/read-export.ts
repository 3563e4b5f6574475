import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';
import { type ExportedRecord, RECORDS_FILE } from '../export/export-format.ts';
import { jsonLines } from '../json-lines.ts';

/**
 * The records of an export; `undefined` when the folder is not an export.
 *
 * @throws ConfigurationError, while records are read, when they cannot be read or one of them is wrong
 */
export async function readExport(
  folder: string,
): Promise<AsyncGenerator<ExportedRecord> | undefined> {
  const file = join(folder, RECORDS_FILE);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? readRecords(file) : undefined;
}

async function* readRecords(file: string): AsyncGenerator<ExportedRecord> {
  let number = 0;
  for await (const line of readLines(file)) {
    number++;
    if (line.trim() === '') continue;
    const record = parse(line);
    if (!isRecord(record)) {
      throw new ConfigurationError(`${file}: line ${number} is no record of an export`);
    }
    yield record;
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  try {
    yield* jsonLines(createReadStream(file));
  } catch (error) {
    throw new ConfigurationError(`${file}: cannot be read: ${reasonOf(error)}`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Whether a path that is relative to a folder leads out of it. */
export function isOutside(path: string): boolean {
  return path.split(sep)[0] === '..';
}

/** Exports are not trusted: the path of a copy must not lead out of the folder. */
function isRecord(value: unknown): value is ExportedRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { copy, originalName, contentHash, extraMeta } = value as Partial<ExportedRecord>;
  return (
    typeof originalName === 'string' &&
    typeof copy === 'string' &&
    !isAbsolute(copy) &&
    !isOutside(normalize(copy)) &&
    (contentHash === null || typeof contentHash === 'string') &&
    typeof extraMeta === 'object' &&
    !Array.isArray(extraMeta)
  );
}
