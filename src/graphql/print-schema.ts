import { readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema/index.ts';

/*
 * Prints the schema to schema/schema.graphql; with --check it fails when the file is not up to date. With
 * --release it also prints the schema of the release to schema/released.graphql, with which a test compares
 * later schemas.
 */

const FILE = new URL('../../schema/schema.graphql', import.meta.url);
const RELEASED = new URL('../../schema/released.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(FILE, printed);
  if (process.argv.includes('--release')) await writeFile(RELEASED, printed);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== printed) {
  process.stderr.write('schema/schema.graphql is not up to date: run `npm run schema`\n');
  process.exitCode = 1;
}
