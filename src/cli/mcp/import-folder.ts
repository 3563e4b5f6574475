import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { type Remote, sendTo } from './remote.ts';

export interface ImportOptions {
  remote: Remote;
  folder: string;
  signal: AbortSignal;
  /** Called with a line for each file that cannot be imported, and one at the end. */
  tell: (line: string) => void;
}

interface LocalFile {
  /** Relative to the folder, with slashes. */
  path: string;
  absolute: string;
  contentHash: string;
}

interface KnownFile {
  fileId: string;
  contentHash: string | null;
  extraMeta: { path?: unknown } | null;
}

/**
 * Brings the files of a folder into a dataset. A file whose content is there, by its SHA-256 hash, is
 * skipped; one whose content has changed takes the place of the version before. Hidden files and
 * folders, and `node_modules`, are left out. A file that cannot be read is told of, and the others
 * are imported.
 */
export async function importFolder({ remote, folder, signal, tell }: ImportOptions): Promise<void> {
  const known = await listKnown(remote, signal);
  const hashes = new Set(known.map(({ contentHash }) => contentHash));
  let [imported, skipped, failed] = [0, 0, 0];
  for await (const file of localFiles(folder)) {
    signal.throwIfAborted();
    if (hashes.has(file.contentHash)) {
      skipped++;
      continue;
    }
    const reason = await upload(remote, file, signal);
    if (reason !== undefined) {
      failed++;
      tell(`${printable(file.path)}: ${printable(reason)}`);
      continue;
    }
    imported++;
    hashes.add(file.contentHash);
    const before = known.filter(({ extraMeta }) => extraMeta?.path === file.path);
    for (const { fileId } of before) await remove(remote, fileId, signal);
  }
  tell(`${imported} files imported, ${skipped} were there, ${failed} could not be imported`);
}

const KNOWN_FILES = `query ($datasetId: ID, $after: String) {
  files(datasetId: $datasetId, first: 1000, after: $after) {
    nodes { fileId contentHash extraMeta }
    pageInfo { hasNextPage endCursor }
  }
}`;

async function listKnown(remote: Remote, signal: AbortSignal): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for (let after: string | null = null; ; ) {
    const variables = { datasetId: remote.datasetId, after };
    const response = await sendTo(remote, '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: KNOWN_FILES, variables }),
      signal,
    });
    const { data, errors } = await response.json();
    if (!data?.files)
      throw new Error(errors?.[0]?.message ?? `the server answered ${response.status}`);
    known.push(...data.files.nodes);
    const { hasNextPage, endCursor } = data.files.pageInfo;
    if (!hasNextPage) return known;
    after = endCursor;
  }
}

async function* localFiles(folder: string): AsyncGenerator<LocalFile> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => one.name.localeCompare(other.name))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const absolute = join(folder, entry.name);
    if (entry.isDirectory()) {
      for await (const file of localFiles(absolute)) {
        yield { ...file, path: `${entry.name}/${file.path}` };
      }
    }
    if (!entry.isFile()) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(absolute), hash);
    yield { path: entry.name, absolute, contentHash: hash.digest('hex') };
  }
}

/** @returns why the file was not taken; `undefined` when it was */
async function upload(
  remote: Remote,
  { path, absolute }: LocalFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = await openAsBlob(absolute);
  const response = await whenAllowed(signal, () => {
    const form = new FormData();
    if (remote.datasetId !== undefined) form.set('datasetId', remote.datasetId);
    form.set('metadata', JSON.stringify({ 0: { path } }));
    form.set('file', file, basename(absolute));
    return sendTo(remote, '/v1/files/upload', { method: 'POST', body: form, signal });
  });
  if (response.ok) return undefined;
  const { message, error } = await response.json();
  return message ?? error;
}

async function remove(remote: Remote, fileId: string, signal: AbortSignal): Promise<void> {
  const path = `/v1/files/${fileId}`;
  const response = await whenAllowed(signal, () =>
    sendTo(remote, path, { method: 'DELETE', signal }),
  );
  // Another import may have removed it.
  if (!response.ok && response.status !== 404) {
    throw new Error(`DELETE ${path} answered ${response.status}`);
  }
}

/** Sends a request again when the server says that it may be sent later. */
async function whenAllowed(signal: AbortSignal, send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    const seconds = response.headers.get('retry-after');
    if (seconds === null) return response;
    await response.body?.cancel();
    await setTimeout(Number(seconds) * 1000, undefined, { signal });
  }
}

/** Names are text of others: control characters must not reach the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
