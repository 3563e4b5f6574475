import { z } from 'zod';
import { httpUrl, type Settings, text } from './setting.ts';

/** Where rate limits are counted and files are stored. */
export const STORAGE_SETTINGS = {
  REDIS_URL: {
    purpose:
      'Redis or Valkey, for rate limits that several gateways share; counted in memory if not set',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, { error: 'must be a redis:// URL', abort: true })
      .refine(
        isRedisUrl,
        'must be redis://[user:password@]host[:port][/database number], with no option but family=4 or family=6; special characters in the password must be percent-encoded',
      )
      .optional(),
    secret: true,
  },
  SUPABASE_URL: {
    purpose:
      'URL of the Supabase project that stores the files; they are stored in DATA_DIR if not set',
    schema: httpUrl.optional(),
  },
  SUPABASE_SECRET_KEY: {
    purpose: 'secret (service_role) key of the Supabase project',
    schema: text,
    secret: true,
  },
  SUPABASE_BUCKET: {
    purpose: 'private bucket for the stored files',
    schema: z.string().default('filequery'),
  },
} as const satisfies Settings;

/** The options that a URL for Redis's client may have: it takes any, and fails later with many values. */
const REDIS_OPTIONS: Record<string, RegExp> = { db: /^\d*$/, family: /^[046]$/ };

/** Whether Redis's client understands it. Otherwise, it would show the password, or use another database. */
function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, searchParams } = new URL(text);
  return (
    [username, password].every(isDecodable) &&
    /^\/?\d*$/.test(pathname) &&
    [...searchParams].every(([name, value]) => REDIS_OPTIONS[name]?.test(value))
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
