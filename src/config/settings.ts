import type { z } from 'zod';
import { DATABASE_SETTINGS } from './settings/database-settings.ts';
import { GATEWAY_SETTINGS } from './settings/gateway-settings.ts';
import { LIMIT_SETTINGS } from './settings/limit-settings.ts';
import { MODEL_SETTINGS } from './settings/model-settings.ts';
import { SEARCH_SETTINGS } from './settings/search-settings.ts';
import { STORAGE_SETTINGS } from './settings/storage-settings.ts';
import { TELEMETRY_SETTINGS } from './settings/telemetry-settings.ts';

/** All environment variables, with their purposes and schemas. */
export const SETTINGS = {
  ...GATEWAY_SETTINGS,
  ...DATABASE_SETTINGS,
  ...SEARCH_SETTINGS,
  ...STORAGE_SETTINGS,
  ...MODEL_SETTINGS,
  ...LIMIT_SETTINGS,
  ...TELEMETRY_SETTINGS,
};

/** Their values. */
export type SettingValues = {
  [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]['schema']>;
};
