import { readdir, readFile } from 'node:fs/promises';

const OPERATIONS = new URL('../../schema/operations/', import.meta.url);

/** How GraphiQL opens. */
export interface Examples {
  initialQuery: string;
  initialVariables: string;
  initialHeaders: string;
}

/**
 * The operations of schema/operations as one document to explore, with variables for all of them:
 * whoever tries them enters the key once, and runs the operation where the cursor is.
 */
export async function readExamples(): Promise<Examples> {
  const names = (await readdir(OPERATIONS)).filter((name) => name.endsWith('.graphql')).sort();
  const read = (name: string) => readFile(new URL(name, OPERATIONS), 'utf8');
  return {
    initialQuery: (await Promise.all(names.map(read))).join('\n'),
    initialVariables: await read('variables.json'),
    initialHeaders: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
  };
}
