import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { budgetTokenOf } from '../../core/authorize.ts';
import { AppError, invalidInput } from '../../core/errors.ts';
import { LIMITS, maxFileBytes } from '../../core/limits.ts';
import type { ReceivedFile } from '../../core/model.ts';
import { shownUrl } from '../../core/shown-url.ts';
import { createTurns } from '../../core/turns.ts';
import type { FileFetcher, RemoteFile } from '../../ports/file-fetcher.ts';
import { costOf } from '../accounts/cost.ts';
import type { Credits } from '../accounts/credits.ts';
import type { Dependencies } from '../dependencies.ts';
import { runTaskGroup } from '../task-group.ts';
import type { DatasetCaller, Received } from '../use-case.ts';
import { checkNames, type Upload } from './read-upload.ts';

type Deps = Pick<Dependencies, 'fetcher' | 'openScratch' | 'uploadsAtOnce' | 'prices'> & {
  credits: Credits;
};

export type ReceiveRemote = ReturnType<typeof createReceiveRemote>;

/** Files of one upload that are fetched concurrently. */
const FETCHED_AT_ONCE = 4;

/**
 * Fetches the files of an upload that are given by URL, to the local disk and within the limits of files
 * that are sent. They come after those. A caller without the credits for the upload is refused first.
 *
 * @returns a function that throws AppError URL_NOT_FETCHED and URL_TOO_LARGE, among others
 */
export function createReceiveRemote(deps: Deps) {
  const { fetcher, openScratch, uploadsAtOnce, prices, credits } = deps;
  const takeTurn = createTurns(uploadsAtOnce);

  return async (caller: DatasetCaller, upload: Upload): Promise<Received<Upload>> => {
    const { files, remote } = upload;
    if (remote.length === 0) return { input: upload, discard: async () => {} };
    if (!fetcher) return invalidInput('urls: this gateway fetches no files');
    const { customerKey, principal, record, signal } = caller;
    // Copies that are skipped cost nothing.
    const units = upload.onDuplicate === 'SKIP' ? 1 : files.length + remote.length;
    const payer = { customerKey, budgetTokenId: budgetTokenOf(principal) };
    await credits.check(payer, costOf(prices, 'uploadFiles', units));

    const done = await takeTurn(customerKey, signal);
    let discard = async () => {};
    try {
      const scratch = await openScratch();
      discard = scratch.discard;
      const fetched = await record.time('fetch', () =>
        fetchAll(fetcher, upload, { folder: scratch.folder, signal }),
      );
      const input = { ...upload, files: [...files, ...fetched], remote: [] };
      checkNames(input);
      return { input, discard: () => discard().finally(done) };
    } catch (error) {
      await discard().finally(done);
      throw error;
    }
  };
}

async function fetchAll(
  fetcher: FileFetcher,
  { files, remote }: Upload,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Upload['files']> {
  const fetched: Upload['files'] = [];
  const sent = files.reduce((sum, { size }) => sum + size, 0);
  const budget = { bytes: LIMITS.uploadBytes - sent };
  await runTaskGroup(
    remote.entries(),
    { concurrency: FETCHED_AT_ONCE, signal },
    async ([at, { url: text, extraMeta }], groupSignal) => {
      const url = new URL(text);
      const file = await fetcher.fetch(url, groupSignal);
      const path = join(folder, String(at));
      const saved = await save(file, { url, path, budget, signal: groupSignal });
      fetched[at] = { ...saved, extraMeta };
    },
  );
  return fetched;
}

/** @param budget what the files of the upload may still bring */
async function save(
  { originalName, mimeType, size: declared = 0, body }: RemoteFile,
  {
    url,
    path,
    budget,
    signal,
  }: { url: URL; path: string; budget: { bytes: number }; signal: AbortSignal },
): Promise<ReceivedFile> {
  const most = maxFileBytes({ originalName, mimeType });
  const hash = createHash('sha256');
  let size = 0;
  if (declared > Math.min(most, budget.bytes)) throw tooLarge(url);
  const measured = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      size += part.length;
      budget.bytes -= part.length;
      if (size > most || budget.bytes < 0) throw tooLarge(url);
      hash.update(part);
      yield part;
    }
  };
  await pipeline(body, measured, createWriteStream(path, { mode: 0o600 }), { signal });
  return { originalName, mimeType, size, path, contentHash: hash.digest('hex') };
}

function tooLarge(url: URL): AppError {
  const [file, media, all] = [LIMITS.fileBytes, LIMITS.mediaBytes, LIMITS.uploadBytes].map(
    (bytes) => `${bytes / 1024 ** 2} MiB`,
  );
  const reason = `a file may have ${file} (audio and video ${media}), and an upload ${all}`;
  return new AppError('URL_TOO_LARGE', { url: shownUrl(url), reason });
}
