import { z } from 'zod';
import { httpUrl, type Settings, secretText, wholeNumber } from './setting.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Where the gateway is, what it keeps, and who may call it. */
export const GATEWAY_SETTINGS = {
  HOST: { purpose: 'address to listen on', schema: z.string().default('127.0.0.1') },
  PORT: {
    purpose: 'port to listen on',
    schema: wholeNumber('4000', 0, 65_535),
  },
  PUBLIC_URL: {
    purpose: 'where clients reach the gateway; http://HOST:PORT unless given',
    schema: httpUrl.refine(isBase, 'must have no query and no fragment').optional(),
  },
  DATA_DIR: {
    purpose: 'folder of the embedded database and the stored copies; memory: keeps them in memory',
    schema: z
      .string()
      .refine(
        (value) => value === 'memory:' || !/^:?memory:?\/*$/i.test(value),
        'must be memory: with its colon, or a folder, such as ./memory',
      )
      .default('./data'),
  },
  TOKEN_SECRET: {
    purpose: 'signs frontend tokens and download links; made and kept in DATA_DIR when embedded',
    schema: secretText(32),
    secret: true,
  },
  LOG_LEVEL: {
    purpose: LOG_LEVELS.join(', '),
    schema: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  },
  CORS_ORIGINS: {
    purpose: 'browser origins that may call, separated by commas; * is any',
    schema: z
      .string()
      .default('*')
      .transform((value): '*' | string[] =>
        value === '*' ? value : value.split(',').map((origin) => origin.trim()),
      )
      .refine(
        (value) => value === '*' || value.every(isOrigin),
        'must be * alone, or origins as browsers send them, such as https://app.example',
      ),
  },
} as const satisfies Settings;

function isBase(url: string): boolean {
  const { search, hash } = new URL(url);
  return search === '' && hash === '';
}

/** Whether a browser can send a text as an origin: no path, no default port, no capitals. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // Of other schemes, such as those of applications, there is no rule.
  return origin === 'null' || origin === text;
}
