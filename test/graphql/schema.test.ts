import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  buildClientSchema,
  type GraphQLNamedType,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  printSchema,
} from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.ts';
import { schema } from '../../src/graphql/schema/index.ts';
import { createClient } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterAll(() => gateway.close());

it('describes every type, field, argument and value', () => {
  const types = Object.values(schema.getTypeMap()).filter(isOurs);
  const described = types.flatMap(describedParts);
  expect(described.length).toBeGreaterThan(100);
  expect(described.filter(({ description }) => !description?.trim())).toEqual([]);
});

it('is printed in schema/schema.graphql', async () => {
  const check = promisify(execFile)(process.execPath, ['src/graphql/print-schema.ts', '--check']);
  await expect(check).resolves.toMatchObject({ stderr: '' });
});

it('tells itself without a key', async () => {
  const { status, data } = await createClient(gateway).graphql<IntrospectionQuery>(
    getIntrospectionQuery({ specifiedByUrl: true, oneOf: true }),
  );
  expect(status).toBe(200);
  expect(printSchema(buildClientSchema(data))).toBe(printSchema(schema));
});

it('has every error code, each described by its row', () => {
  const type = schema.getType('ErrorCode');
  const values = isEnumType(type) ? type.getValues() : [];
  const described = Object.fromEntries(values.map((value) => [value.name, value.description]));
  const rows = Object.entries(ERRORS).map(([code, { description }]) => [code, description]);
  expect(described).toMatchObject(Object.fromEntries(rows));
});

function isOurs(type: GraphQLNamedType): boolean {
  return !type.name.startsWith('__') && !isSpecifiedScalarType(type);
}

/** The coordinates of a type and of everything in it, with what is said of each. */
function describedParts(type: GraphQLNamedType): { at: string; description?: string | null }[] {
  const parts = [{ at: type.name, description: type.description }];
  const add = (at: string, { description }: { description?: string | null | undefined }) =>
    parts.push({ at, description });
  if (isEnumType(type)) for (const value of type.getValues()) add(`${type}.${value.name}`, value);
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) add(`${type}.${field.name}`, field);
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      add(`${type}.${field.name}`, field);
      for (const arg of field.args) add(`${type}.${field.name}(${arg.name}:)`, arg);
    }
  }
  return parts;
}
