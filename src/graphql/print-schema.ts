import { readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema/index.ts';

/* Prints the schema to schema/schema.graphql; with --check it fails when the file is not up to date. */

const FILE = new URL('../../schema/schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(FILE, printed);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== printed) {
  process.stderr.write('schema/schema.graphql is not up to date: run `npm run schema`\n');
  process.exitCode = 1;
}
