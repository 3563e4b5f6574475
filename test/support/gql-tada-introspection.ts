import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { type GraphQLSchema, type IntrospectionQuery, introspectionFromSchema } from 'graphql';

/** A plugin of GraphQL Code Generator: the schema as a type, as gql.tada reads it. */
export function plugin(schema: GraphQLSchema): string {
  const introspection = introspectionFromSchema(schema) as unknown as IntrospectionQuery;
  return outputIntrospectionFile(minifyIntrospection(introspection), { fileType: '.ts' });
}
