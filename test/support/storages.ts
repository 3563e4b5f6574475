import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createDiskStorage } from '../../src/adapters/storage/disk/disk-storage.ts';
import { createDownloads } from '../../src/adapters/storage/disk/downloads.ts';
import { createSupabaseStorage } from '../../src/adapters/storage/supabase/supabase-storage.ts';
import { errorResponse } from '../../src/http/error-response.ts';
import type { ObjectStorage } from '../../src/ports/object-storage.ts';
import { store } from './supabase/buckets.ts';
import { type SupabaseDouble, startSupabaseDouble } from './supabase-double.ts';

/** A storage on an empty back end, and what a test may know of it beside the port. */
export interface TestStorage {
  storage: ObjectStorage;
  /** As a browser would: with nothing but a signed URL. */
  download(url: string, init?: RequestInit): Promise<Response>;
  /** Signs with another key from now on. */
  changeKey(): void;
  /** Puts objects into the back end itself. */
  seed(paths: string[]): Promise<unknown>;
  /** Of all objects there are. */
  paths(): Promise<string[]>;
  close(): Promise<void>;
}

/** Every adapter of the port. */
export const STORAGES: Record<'disk' | 'supabase', () => Promise<TestStorage>> = {
  async disk() {
    const folder = await mkdtemp(join(tmpdir(), 'filequery-objects-'));
    const baseUrl = 'http://filequery.test/storage';
    const options = { folder, baseUrl, secret: new Uint8Array(32) };
    let [storage, answer] = [createDiskStorage(options), createDownloads(options)];
    return {
      get storage() {
        return storage;
      },
      download: (url, init) => answer(new Request(url, init)).catch(errorResponse),
      async seed(paths) {
        for (const parent of new Set(paths.map(dirname))) {
          await mkdir(join(folder, parent), { recursive: true });
        }
        await Promise.all(paths.map((path) => writeFile(join(folder, path), 'x')));
      },
      paths: () => filesBelow(folder),
      // As after a restart.
      changeKey() {
        const changed = { ...options, secret: options.secret.map(() => 1) };
        [storage, answer] = [createDiskStorage(changed), createDownloads(changed)];
      },
      close: () => rm(folder, { recursive: true }),
    };
  },

  async supabase() {
    const double = await startSupabaseDouble();
    const { url, secretKey } = double;
    return {
      storage: await createSupabaseStorage({ url, secretKey, bucket: 'copies' }),
      download: (signed, init) => fetch(signed, init),
      async seed(paths) {
        const bucket = double.buckets.get('copies') ?? double.addBucket('copies');
        const about = { contentType: 'text/plain', cacheControl: 'no-cache', userMetadata: {} };
        for (const path of paths) store(bucket, path, { content: Buffer.from('x'), ...about });
      },
      paths: async () => objectsOf(double),
      changeKey: double.changeLinkSecret,
      close: double.close,
    };
  },
};

/** The paths of all files below a folder; none when it is not there. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** The keys of all objects, of whatever bucket. */
export function objectsOf({ buckets }: SupabaseDouble): string[] {
  return [...buckets.values()].flatMap(({ objects }) => [...objects.keys()]);
}
