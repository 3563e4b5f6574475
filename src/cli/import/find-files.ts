import { glob, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';
import { isOutside, readExport } from './read-export.ts';

/** A file to import. */
export interface LocalFile {
  /** Identifies it in messages, and as the metadata `path`; with slashes. */
  path: string;
  absolute: string;
  size: number;
  /** When content or attributes changed: `cp -p` and archives can set any time of modification. */
  ctimeMs: number;
  /** Its record, if it is from an export. */
  exported?: Exported;
}

/** What an import restores for a file from an export. */
export interface Exported {
  originalName: string;
  extraMeta: Record<string, unknown> | null;
  /** The hash that its copy must have; null if there is none. */
  contentHash: string | null;
}

/** What was found. */
export interface Found {
  files: LocalFile[];
  /** Paths that could not be read, with the reasons. */
  unreadable: { path: string; reason: string }[];
}

/**
 * The files that paths and patterns match. In folders, hidden files, hidden folders and
 * `node_modules` are left out, and links are not followed. Paths are relative to the folder if there
 * is only one, else to the current folder.
 *
 * @throws ConfigurationError when there is no such path, or a pattern matches no file
 */
export async function findFiles(sources: string[]): Promise<Found> {
  const found: Found = { files: [], unreadable: [] };
  for (const source of sources) {
    const isOnly = sources.length === 1;
    const info = await stat(source).catch((error: NodeJS.ErrnoException) => error);
    if (info instanceof Error) {
      if (!['EACCES', 'EPERM', 'ELOOP'].includes(info.code ?? '')) await addMatches(found, source);
      else found.unreadable.push({ path: pathFrom('.', source), reason: reasonOf(info) });
    } else if (info.isDirectory()) {
      const exported = await readExport(source);
      if (exported) await addExport(found, source, exported);
      else await addFolder(found, source, isOnly ? source : '.');
    } else if (info.isFile()) {
      await addFile(found, resolve(source), pathFrom('.', source));
    } else {
      throw new ConfigurationError(`${source}: is neither a file nor a folder`);
    }
  }
  return { ...found, files: uniqueFiles(found.files) };
}

/**
 * The files of a folder. A folder below it that cannot be read is reported.
 *
 * @param onFolder called with each folder before it is read
 */
export async function findInFolder(
  folder: string,
  onFolder?: (folder: string) => void,
): Promise<Found> {
  const found: Found = { files: [], unreadable: [] };
  await addFolder(found, folder, folder, onFolder);
  return found;
}

async function addFolder(
  found: Found,
  folder: string,
  base: string,
  onFolder?: (folder: string) => void,
): Promise<void> {
  onFolder?.(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    found.unreadable.push({ path: pathFrom(base, folder), reason: reasonOf(error) });
    return [];
  });
  for (const entry of entries.sort((one, other) => one.name.localeCompare(other.name))) {
    if (isLeftOut(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addFolder(found, path, base, onFolder);
    if (entry.isFile()) await addFile(found, resolve(path), pathFrom(base, path));
  }
}

async function addMatches(found: Found, pattern: string): Promise<void> {
  const named = pattern.split(/[/\\]/);
  let matches = 0;
  for await (const path of glob(pattern)) {
    const isMeant = path.split(sep).every((part) => named.includes(part) || !isLeftOut(part));
    if (!isMeant) continue;
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) continue;
    matches++;
    await addFile(found, resolve(path), pathFrom('.', path));
  }
  if (matches === 0) throw new ConfigurationError(`${pattern}: there is no such file or folder`);
}

async function addExport(
  found: Found,
  folder: string,
  exported: AsyncIterable<Exported & { copy: string }>,
): Promise<void> {
  const root = await realpath(folder);
  for await (const { copy, originalName, extraMeta, contentHash } of exported) {
    const absolute = resolve(folder, copy);
    // A file that is not there is told of below.
    const target = await realpath(absolute).catch(() => root);
    // Exports are not trusted: a link could bring in any file that the user can read.
    if (isOutside(relative(root, target))) {
      found.unreadable.push({ path: copy, reason: 'it is a link out of the folder' });
      continue;
    }
    await addFile(found, absolute, copy, { originalName, extraMeta, contentHash });
  }
}

async function addFile(
  { files, unreadable }: Found,
  absolute: string,
  path: string,
  exported?: Exported,
): Promise<void> {
  try {
    const { size, ctimeMs } = await stat(absolute);
    files.push({ path, absolute, size, ctimeMs, ...(exported && { exported }) });
  } catch (error) {
    unreadable.push({ path, reason: reasonOf(error) });
  }
}

function pathFrom(base: string, path: string): string {
  return relative(base, path).split(sep).join('/') || basename(resolve(path));
}

function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Several patterns may match a file. */
function uniqueFiles(files: LocalFile[]): LocalFile[] {
  return [...new Map(files.map((file) => [file.absolute, file])).values()];
}
