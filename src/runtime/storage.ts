import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { addressOf } from '../http/listen.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';

export interface StorageOptions {
  /** The folder for storage on disk. */
  folder: string;
  /** Signs the download links of storage on disk. */
  linkSecret: Uint8Array;
  /** Whether settings that cannot work prevent the start. */
  checkAtStart: boolean;
  /** Whether files should already be in the storage. */
  isInUse: () => Promise<boolean>;
}

/** The chosen storage with its request handler. */
export interface OpenedStorage {
  storage: ObjectStorage;
  /** Handles download links; undefined if the storage serves them itself. */
  downloads: ((request: Request) => Promise<Response>) | undefined;
  /** Whether a failure means that the storage is temporarily unavailable. */
  isStorageOutage: (error: unknown) => boolean;
}

/** @throws ConfigurationError naming the setting */
export async function openStorage(
  { storage, publicUrl, host, port }: Config,
  log: Log,
  { folder, linkSecret, checkAtStart, isInUse }: StorageOptions,
): Promise<OpenedStorage> {
  switch (storage.kind) {
    case 'disk': {
      const { createDiskStorage } = await import('../adapters/storage/disk/disk-storage.ts');
      const { createDownloads } = await import('../adapters/storage/disk/downloads.ts');
      const options = {
        folder: join(folder, 'objects'),
        baseUrl: `${publicUrl ?? addressOf({ host, port })}/storage`,
        secret: linkSecret,
      };
      return {
        storage: createDiskStorage(options),
        downloads: createDownloads(options),
        isStorageOutage: () => false,
      };
    }
    case 'supabase': {
      const { createSupabaseStorage } = await import(
        '../adapters/storage/supabase/supabase-storage.ts'
      );
      const { isStorageOutage } = await import('../adapters/storage/supabase/storage-failure.ts');
      return {
        storage: await createSupabaseStorage({ ...storage, log, checkAtStart, isInUse }),
        downloads: undefined,
        isStorageOutage,
      };
    }
  }
}
