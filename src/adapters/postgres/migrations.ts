import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('../../../prisma/migrations/', import.meta.url);

/** A folder of prisma/migrations. */
export interface Migration {
  name: string;
  sql: string;
}

/** Reads prisma/migrations, in the order in which migrations are applied. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(new URL(`${name}/migration.sql`, FOLDER), 'utf8'),
    })),
  );
}

/** The checksum that Prisma records for a migration: SHA-256, in hexadecimal. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Whether `checksum` is that of `sql`. As in Prisma, line endings may differ. */
export function matchesChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum);
}
