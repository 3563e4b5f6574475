import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { openSchemaEngine } from './schema-engine.ts';

const PRISMA = new URL('../../prisma/', import.meta.url);

/** The SQL that would turn the database behind `pool` into what schema.prisma says. */
export async function diffFromSchema(pool: Pool): Promise<string> {
  helpDescriber(pool);
  using engine = await openSchemaEngine(pool);
  const content = await readFile(new URL('schema.prisma', PRISMA), 'utf8');
  const files = [{ path: 'schema.prisma', content }];
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: fileURLToPath(PRISMA) },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? '';
}

const CHAR = 18;
const BPCHAR = 1042;

interface Answer {
  fields: { name: string; dataTypeID: number }[];
  rows: unknown[];
}

/** Answers the describer of Prisma's engine so that it gets along with PostgreSQL 18. */
function helpDescriber(pool: Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<Answer>;
  const helped = async (...args: unknown[]) => {
    const answer = await query(...args);
    // The adapter hands "char" over as a number, where the describer wants a letter.
    for (const field of answer.fields ?? []) {
      if (field.dataTypeID === CHAR) field.dataTypeID = BPCHAR;
    }
    // Since PostgreSQL 18 NOT NULL is a constraint of its own, of a type that the describer does not know.
    if (answer.fields?.[3]?.name === 'constraint_type') answer.rows = [];
    return answer;
  };
  Object.assign(pool, { query: helped });
}
