import { createSecretKey } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { ObjectStorage } from '../../../ports/object-storage.ts';
import { makeFolder } from '../../../system/make-folder.ts';
import { isSignedDownload, readDownload, signUrl } from './signing.ts';

export interface DiskStorageOptions {
  /** The folder of the stored copies; created if it does not exist. */
  folder: string;
  /** The URL at which `createDownloads` serves files, e.g. `https://files.example.com/storage`. */
  baseUrl: string;
  /** The key for signing URLs; at least 32 bytes. */
  secret: Uint8Array;
}

/** The number of objects per page of a listing. */
const PAGE = 1000;
/** The number of URLs whose signatures are remembered. */
const REMEMBERED_URLS = 10_000;

/** Stores copies in a folder. `createDownloads` serves them at signed URLs. */
export function createDiskStorage({ folder, baseUrl, secret }: DiskStorageOptions): ObjectStorage {
  const key = createSecretKey(secret);
  const prefix = `${new URL(baseUrl).pathname}/`;
  /** URLs that were found valid; they stay valid while this storage runs, because they expire in centuries. */
  const good = new LRUCache<string, true>({ max: REMEMBERED_URLS });
  return {
    lateMs: 0,

    async put(path, body, { signal }) {
      const target = join(folder, path);
      // Written under another name first, so that readers never see a partial object.
      const draft = draftOf(target);
      await makeFolder(dirname(target));
      const writing = createWriteStream(draft, { mode: 0o600, flush: true });
      const closed = new Promise<void>((resolve) => writing.once('close', () => resolve()));
      try {
        await pipeline(body(), writing, { signal });
        await rename(draft, target);
      } catch (error) {
        // If the file is still being opened, it would be created after `rm`.
        await closed;
        await rm(draft, { force: true });
        // On abort, streams throw their own error instead of the signal's reason.
        signal?.throwIfAborted();
        throw error;
      }
    },

    async get(path) {
      const source = join(folder, path);
      await access(source, constants.R_OK);
      return createReadStream(source);
    },

    async signUrls(objects) {
      return objects.map((object) => signUrl(key, object, baseUrl));
    },

    async stillGood(urls) {
      return urls.filter((url) => {
        if (good.get(url)) return true;
        if (!url.startsWith(`${baseUrl}/`)) return false;
        const { claims, signature } = readDownload(new URL(url), prefix);
        if (!isSignedDownload(key, claims, signature)) return false;
        good.set(url, true);
        return true;
      });
    },

    async remove(paths) {
      const removed = await Promise.allSettled(
        paths.map(async (path) => {
          const target = join(folder, path);
          // A crash during `put` may have left a partial file.
          await rm(draftOf(target), { force: true });
          await rm(target, { force: true });
        }),
      );
      return paths.filter((_, index) => removed[index]?.status === 'rejected');
    },

    async *list(below) {
      const names = await readdir(join(folder, below)).catch(() => []);
      for (let at = 0; at < names.length; at += PAGE) {
        const page = names.slice(at, at + PAGE).map((name) => `${below}/${name}`);
        const found = await Promise.all(
          page.map((path) =>
            stat(join(folder, path)).then(
              (found) =>
                found.isFile() ? [{ path, size: found.size, modified: found.mtime }] : [],
              // Removed since the folder was read.
              () => [],
            ),
          ),
        );
        yield found.flat();
      }
    },

    async check() {
      await makeFolder(folder);
      await access(folder, constants.R_OK | constants.W_OK);
    },
  };
}

function draftOf(target: string): string {
  return `${target}.part`;
}
