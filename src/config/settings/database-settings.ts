import { z } from 'zod';
import { type Settings, wholeNumber } from './setting.ts';

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL');

/** The database. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: {
    purpose:
      'PostgreSQL 15 or later with pgvector 0.8 or later, directly or through a pooler; the embedded database if not set',
    schema: postgresUrl.optional(),
    secret: true,
  },
  MIGRATION_DATABASE_URL: {
    purpose:
      'connection for migrations and LISTEN that bypasses the pooler; DATABASE_URL if not set',
    schema: postgresUrl.optional(),
    secret: true,
  },
  DATABASE_READ_URL: {
    purpose:
      'one streaming replica of the database, for lists and searches; not used while it lacks changes of a dataset',
    schema: postgresUrl.optional(),
    secret: true,
  },
  DATABASE_POOL_SIZE: {
    purpose: 'maximum number of connections in the pool',
    schema: wholeNumber('10', 1, 1000),
  },
  DATABASE_STATEMENT_TIMEOUT: {
    purpose: 'seconds before a statement times out',
    schema: wholeNumber('60', 1, 3600),
  },
  DATABASE_IDLE_TIMEOUT: {
    purpose: 'seconds before an idle connection is closed',
    schema: wholeNumber('30', 1, 3600),
  },
  DATABASE_POLL_INTERVAL: {
    purpose:
      'seconds between two polls for changes while LISTEN does not work, such as through a pooler in transaction mode',
    schema: wholeNumber('2', 1, 3600),
  },
} as const satisfies Settings;
