import { type FieldNode, type GraphQLField, valueFromASTUntyped } from 'graphql';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    listSize?: ListSize;
    /** For a connection: the values that each of its objects counts as at least; 1 by default. */
    itemCost?: number;
    /** Whether the field calls a use-case: once for all objects of a list. Fields of the roots do. */
    isCall?: boolean;
  }
}

/**
 * The maximum number of objects that a field returns, given its arguments before validation. For a
 * field that is not a list, such as a connection, this is the size of the lists in it.
 */
export type ListSize = (args: Record<string, unknown>) => number;

/**
 * The list size requested by an argument. A size above `max` is rejected later, so it counts as
 * `max`.
 */
export function askedFor(value: unknown, { preset, max }: { preset: number; max: number }): number {
  return typeof value === 'number' && value >= 0 ? Math.min(value, max) : preset;
}

/** The size that a field declares for its arguments in an operation, if it declares one. */
export function declaredSize(
  { extensions }: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): number | undefined {
  if (!extensions.listSize) return undefined;
  const args = (node.arguments ?? []).map(({ name, value }) => [
    name.value,
    valueFromASTUntyped(value, variables),
  ]);
  return extensions.listSize(Object.fromEntries(args));
}
