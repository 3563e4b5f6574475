import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secret of a data folder, made at its first use and kept there (mode 0600). */
export async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'token-secret');
  try {
    await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

/** A key of 32 bytes for one purpose: what one purpose signs, no other one accepts. */
export function deriveKey(secret: string, purpose: 'tokens' | 'downloads'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `filequery ${purpose}`, 32));
}
