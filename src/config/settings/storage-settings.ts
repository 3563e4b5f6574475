import { z } from 'zod';
import { httpUrl, type Settings, text } from './setting.ts';

/** Where rate limits are counted and files are stored. */
export const STORAGE_SETTINGS = {
  REDIS_URL: {
    purpose:
      'Redis or Valkey, for rate limits that several gateways share; counted in memory if not set',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must be a redis:// URL')
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
