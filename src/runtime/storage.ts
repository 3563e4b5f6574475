import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { addressOf } from '../http/listen.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';

export interface StorageOptions {
  /** Where a storage on the disk keeps its objects. */
  folder: string;
  /** Signs download links of a storage on the disk. */
  linkSecret: Uint8Array;
  /** Whether settings that cannot work stop the start; the command line asks when it wants to know. */
  checkAtStart: boolean;
  /** Whether there are files whose copies should be in the storage. */
  isInUse: () => Promise<boolean>;
}

/** The storage of the settings, and what comes with it. */
export interface OpenedStorage {
  storage: ObjectStorage;
  /** Answers download links; none where the storage serves them itself. */
  downloads: ((request: Request) => Promise<Response>) | undefined;
  /** Whether a failure means that the storage cannot be reached for now. */
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
