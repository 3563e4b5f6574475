declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    listSize?: ListSize;
  }
}

/**
 * How many objects a field yields at most, by its arguments as the client wrote them. Of a field
 * that is no list itself, such as a connection, it is the size of the lists in it.
 */
export type ListSize = (args: Record<string, unknown>) => number;

/** The size that an argument asks for. One beyond the largest is refused later, and costs no more. */
export function askedFor(value: unknown, { preset, max }: { preset: number; max: number }): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, max) : preset;
}
