import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** The size of an introspection list: the mean over all types, and the maximum. */
interface Size {
  mean: number;
  max: number;
}

/** The sizes of a schema's introspection lists, by coordinate, for example `__Type.fields`. */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, Size> {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const sizes: Record<string, number[]> = {
    '__Schema.types': [types.length],
    '__Schema.directives': [directives.length],
    '__Directive.args': directives.map(({ args }) => args.length),
    '__Directive.locations': directives.map(({ locations }) => locations.length),
    '__Type.fields': types.map((type) => fieldsOf(type).length),
    '__Type.interfaces': types.map((type) => (hasFields(type) ? type.getInterfaces().length : 0)),
    '__Type.possibleTypes': types.map((type) =>
      isAbstractType(type) ? schema.getPossibleTypes(type).length : 0,
    ),
    '__Type.enumValues': types.map((type) => (isEnumType(type) ? type.getValues().length : 0)),
    '__Type.inputFields': types.map((type) =>
      isInputObjectType(type) ? Object.keys(type.getFields()).length : 0,
    ),
    '__Field.args': types.flatMap((type) => fieldsOf(type).map(({ args }) => args.length)),
  };
  return new Map(Object.entries(sizes).map(([list, counts]) => [list, sizeOf(counts)]));
}

function hasFields(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type);
}

function fieldsOf(type: GraphQLNamedType) {
  return hasFields(type) ? Object.values(type.getFields()) : [];
}

function sizeOf(counts: number[]): Size {
  const sum = counts.reduce((total, count) => total + count, 0);
  return { mean: sum / counts.length, max: Math.max(...counts) };
}
