import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql';

/** The parameters of an operation, as sent by the client. */
export interface OperationParams {
  operationName?: unknown;
  variables?: Record<string, unknown> | null | undefined;
}

/** The variables that an operation runs with, before validation: those sent, and the defaults of others. */
export function readVariables(
  { variableDefinitions }: OperationDefinitionNode,
  { variables }: OperationParams,
): Record<string, unknown> {
  const presets = (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return { ...Object.fromEntries(presets), ...variables };
}
