import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { undeclaredChanges } from '../support/breaking-changes.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the schema breaks nothing of the released one that CHANGELOG.md does not declare', async () => {
  const released = await read('schema/released.graphql');
  const current = await read('schema/schema.graphql');
  expect(undeclaredChanges(released, current, await read('CHANGELOG.md'))).toEqual([]);
});

const BEFORE = `type Query { old: String, size: Int!, files(first: Int): [String!] }
  enum Kind { A B }`;
const CHANGELOG = (...lines: string[]) =>
  [
    '# Changelog',
    '## Unreleased',
    ...lines,
    '## 0.1.0',
    '- Breaking: Field Query.size was removed.',
  ].join('\n\n');

it.each([
  ['a field that is gone', BEFORE.replace('old: String,', ''), 'Field Query.old was removed.'],
  [
    'a field that may be null now',
    BEFORE.replace('Int!', 'Int'),
    'Field Query.size changed type from Int! to Int.',
  ],
  [
    'an argument that is required now',
    BEFORE.replace('first: Int', 'first: Int, of: ID!'),
    'A required argument Query.files(of:) was added.',
  ],
  ['a value that is gone', BEFORE.replace('A B', 'A'), 'Enum value Kind.B was removed.'],
  [
    'a field that only an earlier release was allowed to remove',
    BEFORE.replace('size: Int!,', ''),
    'Field Query.size was removed.',
  ],
])('%s is a breaking change, unless it is declared', (_, after, description) => {
  const line = `- Breaking: ${description}`;
  expect(undeclaredChanges(BEFORE, after, CHANGELOG())).toEqual([line]);
  expect(undeclaredChanges(BEFORE, after, CHANGELOG(line))).toEqual([]);
});

it('what is new breaks nothing', () => {
  const after = `${BEFORE.replace('first: Int', 'first: Int, last: Int')} type New { a: Int }`;
  expect(undeclaredChanges(BEFORE, after, CHANGELOG())).toEqual([]);
});
