import { BreakingChangeType, buildSchema, findSchemaChanges } from 'graphql';

/**
 * What a schema breaks for the clients of an earlier one and a changelog does not say: each as a line
 * that its section Unreleased lacks.
 */
export function undeclaredChanges(before: string, after: string, changelog: string): string[] {
  const sections = changelog.split(/^## /m);
  const unreleased = sections.find((section) => section.startsWith('Unreleased')) ?? '';
  const declared = new Set(unreleased.split('\n').map((line) => line.trim()));
  return findSchemaChanges(buildSchema(before), buildSchema(after))
    .filter(({ type }) => Object.hasOwn(BreakingChangeType, type))
    .map(({ description }) => `- Breaking: ${description}`)
    .filter((line) => !declared.has(line));
}
