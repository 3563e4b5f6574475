import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';

/** Hints, by the error code of PostgreSQL or Node, or by the message. */
const HINTS: [pattern: RegExp, hint: string][] = [
  [/28P01/, 'correct the user and the password in it; special characters are written as in %40'],
  [
    /ERR_INVALID_URL/,
    'special characters in the password are written as in %40, and its port is at most 65535',
  ],
  [/password must be a string/, 'put the password into it, postgres://USER:PASSWORD@HOST/NAME'],
  [/no encryption|SSL required|TLS required/i, 'add ?sslmode=require to it'],
  [/28000/, 'correct the user in it, or let the server take it in pg_hba.conf'],
  [/3D000/, 'correct the name in it, or make the database'],
  [/Tenant or user not found/, 'copy it anew from the Connect dialog of the project'],
  [/does not support SSL/, 'remove sslmode from it'],
  [/certificate|CERT/, 'name the authority with &sslrootcert=FILE, or do with sslmode=require'],
  [/schema is not empty/, 'give filequery a database of its own'],
  [/permission denied/, 'let the owner of the database grant it, or name the owner in it'],
];

/**
 * A one-line error about the database.
 *
 * @param setting the setting to blame
 */
export function configurationError(
  setting: string,
  reason: string,
  hint?: string,
): ConfigurationError {
  return new ConfigurationError(`${setting}: ${reason}${hint ? `: ${hint}` : ''}`);
}

/** Describes an error of a database connection, with a hint if its cause is known. */
export function diagnose(setting: string, error: unknown): ConfigurationError {
  const reason = reasonOf(error);
  const { code } = error as { code?: unknown };
  const [, hint] = HINTS.find(([pattern]) => pattern.test(`${code} ${reason}`)) ?? [];
  return configurationError(setting, reason, hint);
}
