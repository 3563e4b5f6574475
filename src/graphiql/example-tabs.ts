import { parse } from 'graphql';
import allVariables from '../../schema/operations/variables.json' with { type: 'json' };

/** The text of a file by its path. */
const operations = import.meta.glob<string>('../../schema/operations/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A tab for each operation of schema/operations, in their order, with the variables it declares. */
export function exampleTabs(): { query: string; variables: string | null }[] {
  const paths = Object.keys(operations).sort();
  return paths.map((path) => {
    const query = operations[path] ?? '';
    const variables = pick(allVariables, variablesOf(query));
    const isEmpty = Object.keys(variables).length === 0;
    return { query, variables: isEmpty ? null : JSON.stringify(variables, null, 2) };
  });
}

function variablesOf(query: string): Set<string> {
  const declared = parse(query).definitions.flatMap((definition) =>
    'variableDefinitions' in definition ? (definition.variableDefinitions ?? []) : [],
  );
  return new Set(declared.map(({ variable }) => variable.name.value));
}

function pick(from: object, names: Set<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
}
