import { join } from 'node:path';
import { filesBelow, objectsOf } from './storages.ts';
import { startSupabaseDouble } from './supabase-double.ts';

/** Where the gateway of a test keeps its stored copies. */
export interface StoredCopies {
  /** The environment variables that lead the gateway there. */
  settings: Record<string, string>;
  /** Of all stored copies. */
  paths(): Promise<string[]>;
  close(): Promise<void>;
}

/** Which adapter that is: vitest.config.ts runs the tests of files with both. */
export const STORAGE = process.env['TEST_STORAGE'] === 'supabase' ? 'supabase' : 'disk';

export async function startStoredCopies(dataDir: string): Promise<StoredCopies> {
  if (STORAGE === 'disk') {
    const paths = () => filesBelow(join(dataDir, 'objects'));
    return { settings: {}, paths, close: async () => {} };
  }
  const double = await startSupabaseDouble();
  return {
    settings: { SUPABASE_URL: double.url, SUPABASE_SECRET_KEY: double.secretKey },
    paths: async () => objectsOf(double),
    close: double.close,
  };
}
