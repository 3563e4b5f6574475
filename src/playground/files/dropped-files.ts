import { count } from '../ui/format.ts';

/** Files that can be dropped at once, with those in folders. */
export const MOST_DROPPED = 200;

/**
 * The files that were dropped, with those in folders. Hidden files, hidden folders and `node_modules` are
 * left out of folders, as `filequery import` does. Must be called while the event is handled: after that,
 * the browser denies access to the files.
 *
 * @throws Error that says why none is taken
 */
export async function droppedFiles({ items }: DataTransfer): Promise<File[]> {
  const dropped = [...items].map((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return isFolder(entry) ? entry : item.getAsFile();
  });
  const files: File[] = [];
  for (const one of dropped) {
    if (one instanceof File) take(one);
    else if (one) for await (const file of filesIn(one)) take(file);
  }
  if (files.length === 0) throw new Error('There are no files in it.');
  return files;

  function take(file: File): void {
    if (files.length === MOST_DROPPED) {
      throw new Error(
        `More than ${count(MOST_DROPPED, 'file')}: none was taken. "filequery import" takes folders of any size.`,
      );
    }
    files.push(file);
  }
}

async function* filesIn(folder: FileSystemDirectoryEntry): AsyncGenerator<File, void, undefined> {
  const entries = (await entriesOf(folder))
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => a.name.localeCompare(b.name));
  for (const entry of entries) {
    if (isFolder(entry)) yield* filesIn(entry);
    else yield await fileOf(entry as FileSystemFileEntry);
  }
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // Each call returns some of them; the last one returns none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isFolder(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true;
}
