import type { Filter } from '../../client/types.ts';

/* The calls of `filequery/client` that are equivalent to the page's GraphQL requests. */

type Options = Record<string, unknown>;

export function callList({ datasetId }: Options): string {
  return `for await (const file of client.list(${literal({ datasetId })})) {
  console.log(file.originalName, file.fileId);
}`;
}

export function callGet({ fileId, datasetId }: Options): string {
  return `const file = await client.get(${literal(fileId)}, ${literal({ datasetId })});
console.log(file.permanentUrl);`;
}

export function callDelete({ fileId, datasetId }: Options): string {
  return `await client.delete(${literal(fileId)}, ${literal({ datasetId })});`;
}

export function callUpload(options: Options, fileName: string): string {
  return `const { openAsBlob } = await import('node:fs');
const file = new File([await openAsBlob(${literal(fileName)})], ${literal(fileName)});
const { files, skipped } = await client.upload([file], ${literal(options)});
console.log([...files, ...skipped][0].fileId);`;
}

export function callAsk({ question, datasetId, history }: Options, filters: Filter[]): string {
  const options = {
    datasetId,
    filters: filters.length > 0 ? filters : undefined,
    history: Array.isArray(history) && history.length > 0 ? history : undefined,
  };
  return `for await (const event of client.ask(${literal(question)}, ${literal(options)})) {
  if (event.type === 'delta') process.stdout.write(event.delta);
  if (event.type === 'completed') console.log(event.citations);
}`;
}

/** A value in JavaScript, without what is undefined; on one line if it is short. */
function literal(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const isNamed = !Array.isArray(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(
      ([name, member]) => `${isNamed ? `${nameOf(name)}: ` : ''}${literal(member, `${indent}  `)}`,
    );
  if (members.length === 0) return isNamed ? '{}' : '[]';
  const line = `${open}${members.join(', ')}${close}`;
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line;
  return `${open.trim()}\n${members.map((each) => `${indent}  ${each},\n`).join('')}${indent}${close.trim()}`;
}

const LINE = 80;

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
