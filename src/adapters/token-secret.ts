import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../core/errors.ts';

/** Minimum length in characters, as for the setting TOKEN_SECRET. */
const SHORTEST = 32;

/**
 * The secret of a data folder, generated on first use and stored there (mode 0600).
 *
 * @throws ConfigurationError when the stored secret is damaged
 */
export async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'token-secret');
  const secret = (await read(path)) ?? (await make(path));
  if (secret.length < SHORTEST) {
    throw new ConfigurationError(
      `DATA_DIR: ${path} is empty or cut short; put it back from a backup, or remove it for a new secret, which ends the frontend tokens there are`,
    );
  }
  await chmod(path, 0o600);
  return secret;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically; if two processes do this at once, one of them wins. */
async function make(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('base64url'));
    await file.sync();
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await read(path)) ?? '';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** A key of 32 bytes for one purpose. Signatures for one purpose are invalid for the others. */
export function deriveKey(
  secret: string,
  purpose: 'tokens' | 'downloads' | 'answers' | 'demo',
): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `filequery ${purpose}`, 32));
}
