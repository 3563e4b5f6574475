import { invalidInput } from '../../core/errors.ts';
import { isJsonObject } from '../../core/is-json-object.ts';
import { isStorable, isStorableJson } from '../../core/is-storable.ts';
import { LIMITS, overlapRange, RANGES } from '../../core/limits.ts';
import type { JsonObject, ReceivedFile } from '../../core/model.ts';
import { isAbsent, isMissing, readWholeNumber } from '../input.ts';

export interface UploadInput {
  files?: ReceivedFile[] | null | undefined;
  /** URLs of files to fetch, which come after `files`. */
  urls?: unknown;
  /** Custom metadata: objects by original file name, by URL or by 0-based index. */
  metadata?: unknown;
  /** The size of a chunk, in tokens. */
  chunkSize?: unknown;
  /** Tokens that a chunk repeats from the previous one. */
  chunkOverlap?: unknown;
  /** What happens to files that the dataset already has; default `KEEP_BOTH`. */
  onDuplicate?: unknown;
}

/** `SKIP` compares content, `REPLACE` names. */
export const ON_DUPLICATE = ['KEEP_BOTH', 'SKIP', 'REPLACE'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

export interface Upload {
  files: (ReceivedFile & { extraMeta: JsonObject | null })[];
  /** Files that are still to be fetched; none when the upload is received. */
  remote: { url: string; extraMeta: JsonObject | null }[];
  chunkSize: number;
  chunkOverlap: number;
  onDuplicate: OnDuplicate;
}

/** @throws AppError INVALID_INPUT */
export function readUpload(input: UploadInput): Upload {
  const files = input.files ?? [];
  const urls = readUrls(input.urls);
  const count = files.length + urls.length;
  if (count === 0) invalidInput('file or urls is required');
  if (count > LIMITS.filesPerUpload) {
    const fields = urls.length === 0 ? 'file' : 'file and urls';
    invalidInput(`${fields}: at most ${LIMITS.filesPerUpload} at once`);
  }

  const chunkSize = readWholeNumber(input.chunkSize, 'chunkSize', RANGES.chunkSize);
  const chunkOverlap = readWholeNumber(input.chunkOverlap, 'chunkOverlap', overlapRange(chunkSize));
  const names = [...files.map(({ originalName }) => originalName), ...urls];
  const metadata = readMetadata(input.metadata, names);
  const upload = {
    files: files.map((file, at) => ({ ...file, extraMeta: metadata[at] ?? null })),
    remote: urls.map((url, at) => ({ url, extraMeta: metadata[files.length + at] ?? null })),
    chunkSize,
    chunkOverlap,
    onDuplicate: readOnDuplicate(input.onDuplicate),
  };
  checkNames(upload);
  return upload;
}

function readUrls(value: unknown): string[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) return invalidInput('urls must be a list of URLs');
  return value.map(readUrl);
}

function readUrl(text: unknown): string {
  const most = LIMITS.urlCharacters;
  if (typeof text !== 'string' || text.length > most || !URL.canParse(text)) {
    return invalidInput(`urls must be URLs of at most ${most} characters`);
  }
  const { protocol, username, password } = new URL(text);
  if (!/^https?:$/.test(protocol)) invalidInput('urls must begin with https:// or http://');
  if (username || password) invalidInput('urls must have no user name and no password');
  return text;
}

function readOnDuplicate(value: unknown): OnDuplicate {
  if (isMissing(value)) return 'KEEP_BOTH';
  return (
    ON_DUPLICATE.find((one) => one === value) ??
    invalidInput('onDuplicate must be KEEP_BOTH, SKIP or REPLACE')
  );
}

/** @throws AppError INVALID_INPUT for names of files that cannot be stored, or cannot be stored together */
export function checkNames({ files, onDuplicate }: Pick<Upload, 'files' | 'onDuplicate'>): void {
  const names = new Set<string>();
  for (const { originalName } of files) {
    checkName(originalName);
    if (onDuplicate === 'REPLACE' && names.has(originalName)) {
      invalidInput(`onDuplicate REPLACE needs different names: ${originalName} is there twice`);
    }
    names.add(originalName);
  }
}

/** The input of an upload, without the location of its files on the local disk. */
export function fingerprintOf({ files, remote, ...options }: Upload): unknown {
  const sent = files.map(({ path: _, ...file }) => file);
  // Without URLs, it is the same as that of earlier versions.
  return remote.length === 0 ? [sent, options] : [sent, options, remote];
}

function checkName(name: string): void {
  if (name.trim() === '') invalidInput('a file needs a name');
  if (name.length > LIMITS.fileNameCharacters) {
    invalidInput(`a file name must be at most ${LIMITS.fileNameCharacters} characters long`);
  }
  if (!isStorable(name)) invalidInput('a file name must be readable text');
}

const WRONG_METADATA =
  'metadata must be a JSON object of objects, keyed by file name, by URL or by 0-based index';
/** Deeper metadata could overflow the stack of recursive functions. */
const MAX_METADATA_LEVELS = 100;

/**
 * The custom metadata of each file, in their order. A key that names no file is an error.
 *
 * @param names of the files, and the URLs of those to fetch
 */
function readMetadata(value: unknown, names: string[]): (JsonObject | undefined)[] {
  if (isMissing(value)) return [];
  if (!isJsonObject(value)) invalidInput(WRONG_METADATA);
  // A map, because a file may be called `constructor`.
  const byKey = new Map<string, JsonObject>();
  const keys = new Set([...names, ...names.keys().map(String)]);
  for (const [key, meta] of Object.entries(value)) {
    if (!isJsonObject(meta)) invalidInput(WRONG_METADATA);
    if (!keys.has(key)) invalidInput(`metadata names no file of this upload: ${key}`);
    if (!isStorableJson(meta, MAX_METADATA_LEVELS)) {
      invalidInput(
        `metadata of ${key} must be readable text and numbers of up to 1.8e308, at most ${MAX_METADATA_LEVELS} levels deep`,
      );
    }
    if (Buffer.byteLength(JSON.stringify(meta)) > LIMITS.metadataBytes) {
      invalidInput(`metadata of ${key} must be at most ${LIMITS.metadataBytes / 1024} kB`);
    }
    byKey.set(key, meta as JsonObject);
  }
  return names.map((name, at) => byKey.get(name) ?? byKey.get(String(at)));
}
