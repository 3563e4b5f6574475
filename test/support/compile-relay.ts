import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import relayCompiler from 'relay-compiler';
import type { ConcreteRequest } from 'relay-runtime';

/**
 * What Relay's compiler makes of operations on our schema.
 *
 * @param document operations and fragments, named after the module `app`, as Relay wants it
 * @param names the operations to return
 * @throws with the report of the compiler when it refuses the schema or the document
 */
export async function compileRelay<Name extends string>(
  document: string,
  names: Name[],
): Promise<Record<Name, ConcreteRequest>> {
  const folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  try {
    await writeFile(join(folder, 'app.js'), `graphql\`${document}\`;`);
    await mkdir(join(folder, 'artifacts'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'relay.config.json'),
      JSON.stringify({
        src: '.',
        schema: 'schema.graphql',
        language: 'javascript',
        artifactDirectory: './artifacts',
        eagerEsModules: true,
      }),
    );
    await cp('schema/schema.graphql', join(folder, 'schema.graphql'));
    await promisify(execFile)(relayCompiler, ['relay.config.json'], { cwd: folder });
    const compiled = names.map(async (name) => {
      const path = join(folder, 'artifacts', `${name}.graphql.js`);
      return [name, (await import(pathToFileURL(path).href)).default];
    });
    return Object.fromEntries(await Promise.all(compiled));
  } finally {
    await rm(folder, { recursive: true });
  }
}
