import { invalidInput } from '../../core/errors.ts';
import { isStorable, isStorableJson } from '../../core/is-storable.ts';
import { LIMITS, overlapRange, RANGES } from '../../core/limits.ts';
import type { JsonObject, ReceivedFile, SpooledFile } from '../../core/model.ts';
import { readWholeNumber } from '../input.ts';

export interface UploadInput {
  files: ReceivedFile[];
  /** Custom metadata: objects by original file name or by 0-based index. */
  metadata?: unknown;
  /** The size of a chunk, in tokens. */
  chunkSize?: unknown;
  /** Tokens that a chunk repeats from the one before. */
  chunkOverlap?: unknown;
  /** What happens to files that the dataset has already; default `KEEP_BOTH`. */
  onDuplicate?: unknown;
}

/** `SKIP` goes by content, `REPLACE` by name. */
export const ON_DUPLICATE = ['KEEP_BOTH', 'SKIP', 'REPLACE'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

export interface Upload {
  files: (ReceivedFile & { extraMeta: JsonObject | null })[];
  chunkSize: number;
  chunkOverlap: number;
  onDuplicate: OnDuplicate;
}

/** @throws AppError INVALID_INPUT */
export function readUpload(input: UploadInput): Upload {
  const { files } = input;
  if (files.length === 0) invalidInput('file is required');
  if (files.length > LIMITS.filesPerUpload)
    invalidInput(`file: at most ${LIMITS.filesPerUpload} at once`);
  for (const { originalName } of files) checkName(originalName);

  const chunkSize = readWholeNumber(input.chunkSize, 'chunkSize', RANGES.chunkSize);
  const chunkOverlap = readWholeNumber(input.chunkOverlap, 'chunkOverlap', overlapRange(chunkSize));
  const metadata = readMetadata(input.metadata, files);
  return {
    files: files.map((file, index) => ({ ...file, extraMeta: metadata[index] ?? null })),
    chunkSize,
    chunkOverlap,
    onDuplicate: readOnDuplicate(input.onDuplicate, files),
  };
}

function readOnDuplicate(value: unknown, files: ReceivedFile[]): OnDuplicate {
  if (value === undefined || value === null || value === '') return 'KEEP_BOTH';
  const chosen = ON_DUPLICATE.find((one) => one === value);
  if (!chosen) return invalidInput('onDuplicate must be KEEP_BOTH, SKIP or REPLACE');
  if (chosen === 'REPLACE') {
    const names = new Set<string>();
    for (const { originalName } of files) {
      if (names.has(originalName)) {
        invalidInput(`onDuplicate REPLACE needs different names: ${originalName} is there twice`);
      }
      names.add(originalName);
    }
  }
  return chosen;
}

/** What an upload asks for, wherever its files are on the local disk. */
export function fingerprintOf({ files, ...options }: Upload): unknown {
  return [files.map(({ path: _, ...file }) => file), options];
}

function checkName(name: string): void {
  if (name.trim() === '') invalidInput('a file needs a name');
  if (name.length > LIMITS.fileNameCharacters) {
    invalidInput(`a file name must be at most ${LIMITS.fileNameCharacters} characters long`);
  }
  if (!isStorable(name)) invalidInput('a file name must be readable text');
}

const WRONG_METADATA =
  'metadata must be a JSON object of objects, keyed by file name or by 0-based index';
/** Deeper metadata could overflow the stack of recursive functions. */
const MAX_METADATA_LEVELS = 100;

/** The custom metadata of each file, in their order. A key that names no file is an error. */
function readMetadata(value: unknown, files: SpooledFile[]): (JsonObject | undefined)[] {
  if (value === undefined || value === null || value === '') return [];
  if (!isObject(value)) invalidInput(WRONG_METADATA);
  // A map, because a file may be called `constructor`.
  const byKey = new Map<string, JsonObject>();
  const names = new Set(files.flatMap(({ originalName }, index) => [originalName, String(index)]));
  for (const [key, meta] of Object.entries(value)) {
    if (!isObject(meta)) invalidInput(WRONG_METADATA);
    if (!names.has(key)) invalidInput(`metadata names no file of this upload: ${key}`);
    if (!isStorableJson(meta, MAX_METADATA_LEVELS)) {
      invalidInput(
        `metadata of ${key} must be readable text, at most ${MAX_METADATA_LEVELS} levels deep`,
      );
    }
    if (Buffer.byteLength(JSON.stringify(meta)) > LIMITS.metadataBytes) {
      invalidInput(`metadata of ${key} must be at most ${LIMITS.metadataBytes / 1024} kB`);
    }
    byKey.set(key, meta as JsonObject);
  }
  return files.map(
    ({ originalName }, index) => byKey.get(originalName) ?? byKey.get(String(index)),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
