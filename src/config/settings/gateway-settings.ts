import { z } from 'zod';
import { httpUrl, type Settings, secretText, wholeNumber } from './setting.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The addresses of the gateway, its data folder, its secret, and which browsers may call it. */
export const GATEWAY_SETTINGS = {
  HOST: {
    purpose: 'address to listen on',
    schema: z
      .string()
      .refine(isHost, 'must be a host name or an IP address, without brackets')
      .default('127.0.0.1'),
  },
  PORT: {
    purpose: 'port to listen on',
    schema: wholeNumber('4000', 0, 65_535),
  },
  PUBLIC_URL: {
    purpose: 'URL at which clients reach the gateway; http://HOST:PORT if not set',
    schema: httpUrl.refine(isBase, 'must have no query and no fragment').optional(),
  },
  DATA_DIR: {
    purpose:
      'folder for the embedded database and the stored files; the value memory: keeps all data only while the gateway runs',
    schema: z
      .string()
      .refine(
        (value) => value === 'memory:' || !/^:?memory:?\/*$/i.test(value),
        'must be memory: with its colon, or a folder, such as ./memory',
      )
      .default('./data'),
  },
  TOKEN_SECRET: {
    purpose:
      'secret that signs frontend tokens and download links; required with DATABASE_URL, otherwise generated and saved in DATA_DIR',
    schema: secretText(32).optional(),
    secret: true,
  },
  LOG_LEVEL: {
    purpose: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
    schema: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  },
  CORS_ORIGINS: {
    purpose: 'browser origins that may call the gateway, separated by commas; * allows all',
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
  WEBHOOK_URL: {
    purpose:
      'URL that is told when an asynchronous upload has ended; requires WEBHOOK_SECRET; nothing is sent if not set',
    schema: httpUrl.optional(),
  },
  WEBHOOK_SECRET: {
    purpose: 'secret that signs webhooks: whsec_ and 24 to 64 bytes in base64',
    schema: z
      .string()
      .refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64')
      .optional(),
    secret: true,
  },
} as const satisfies Settings;

/** Whether the URL of the gateway can have it. */
function isHost(text: string): boolean {
  return URL.canParse(`http://${text.includes(':') ? `[${text}]` : text}`);
}

function isWebhookSecret(text: string): boolean {
  const [, key] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(key ?? '', 'base64').length;
  return bytes >= 24 && bytes <= 64;
}

function isBase(url: string): boolean {
  const { search, hash } = new URL(url);
  return search === '' && hash === '';
}

/** Whether a browser would send this text as an origin: no path, no default port, lower case. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // Other schemes, such as those of applications, are not checked.
  return origin === 'null' || origin === text;
}
