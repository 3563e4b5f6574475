import { z } from 'zod';
import { httpUrl, type Settings, text } from './setting.ts';

/** Where rate limits are counted and copies are stored. */
export const STORAGE_SETTINGS = {
  REDIS_URL: {
    purpose: 'counts rate limits for several gateways; in memory unless given',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must be a redis:// URL')
      .optional(),
    secret: true,
  },
  SUPABASE_URL: {
    purpose: 'Supabase project that stores the copies; the folder DATA_DIR unless given',
    schema: httpUrl.optional(),
  },
  SUPABASE_SECRET_KEY: {
    purpose: 'secret (service role) key of the project',
    schema: text,
    secret: true,
  },
  SUPABASE_BUCKET: {
    purpose: 'private bucket of the stored copies',
    schema: z.string().default('filequery'),
  },
} as const satisfies Settings;
