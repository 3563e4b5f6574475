import type { Performed } from './performed.ts';

export interface Snippet {
  name: 'GraphQL' | 'curl' | 'JavaScript';
  text: string;
}

/**
 * An action as code: the GraphQL operation, a shell command, and a call of `filequery/client`. None of them
 * contains the credential.
 *
 * @param url the address of the gateway, without a slash at the end
 */
export function snippetsOf(request: Performed, url: string): Snippet[] {
  return [
    { name: 'GraphQL', text: graphqlOf(request) },
    { name: 'curl', text: curlOf(request, url) },
    { name: 'JavaScript', text: javascriptOf(request, url) },
  ];
}

function graphqlOf({ document, variables }: Performed): string {
  const lines = JSON.stringify(variables, null, 2).split('\n');
  return `${document}\n\n# variables\n${lines.map((line) => `# ${line}`).join('\n')}`;
}

function curlOf({ document, variables, fileNames }: Performed, url: string): string {
  const body = JSON.stringify({ query: document.replace(/\s+/g, ' '), variables });
  const lines = [`curl ${quote(`${url}/graphql`)} -H "Authorization: Bearer $KEY"`];
  if (fileNames.length > 0) {
    const map = Object.fromEntries(
      fileNames.map((_, index) => [index, [`variables.input.files.${index}`]]),
    );
    // In a field that is sent with -F, a semicolon would end the value.
    lines.push(`--form-string ${quote(`operations=${body}`)}`);
    lines.push(`-F ${quote(`map=${JSON.stringify(map)}`)}`);
    for (const [index, name] of fileNames.entries())
      lines.push(`-F ${quote(`${index}=@${path(name)}`)}`);
  } else {
    lines.push(`-H 'Content-Type: application/json'`);
    if (document.startsWith('subscription')) lines.push(`-N -H 'Accept: text/event-stream'`);
    lines.push(`-d ${quote(body)}`);
  }
  return `# export KEY=...\n${lines.join(' \\\n  ')}`;
}

function javascriptOf({ clientCall }: Performed, url: string): string {
  return `import { createClient } from 'filequery/client';

const client = createClient({ url: ${JSON.stringify(url)}, credential: process.env.KEY });
${clientCall}`;
}

/** A word for a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The name of a file in a form of curl, in which a comma or a semicolon would end it. */
function path(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
