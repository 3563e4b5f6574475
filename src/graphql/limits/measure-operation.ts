import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { introspectionSizes } from './introspection-sizes.ts';

/** What an operation asks for at most. */
export interface Measure {
  /** Values of the answer, and `CALL` for each field that calls a use-case. */
  cost: number;
  /** Levels of fields. */
  depth: number;
}

/** What a document is run with, as the client sent it. */
export interface OperationParams {
  operationName?: unknown;
  variables?: Record<string, unknown> | null | undefined;
}

/** A field that calls a use-case costs as much as this many values. */
const CALL = 100;
/** Objects in a list whose field does not say. */
const LIST_SIZE = 10;
/** Events of a subscription: the pieces of a long answer. */
const EVENTS = 100;

const NOTHING: Measure = { cost: 0, depth: 0 };

/** What is known where a field stands. */
interface Surroundings {
  /** The size that a field above announced for the lists in it. */
  listSize?: number | undefined;
  /** Whether the introspection is at every type of the schema: then the mean is exact. */
  ofAllTypes: boolean;
}

/**
 * Measures operations before they run, in time linear in the length of their document: a fragment
 * is measured once, however often it is spread. The document need not be valid; what validation
 * will refuse costs next to nothing.
 */
export function createMeasure(schema: GraphQLSchema) {
  const introspection = introspectionSizes(schema);
  const subscription = schema.getSubscriptionType();
  const roots = [schema.getQueryType(), schema.getMutationType(), subscription];

  /** Measures the operation that will run; when none is named, the costliest of all. */
  return function measure(document: DocumentNode, params: OperationParams): Measure {
    const fragments = new Map<string, FragmentDefinitionNode>();
    const operations: OperationDefinitionNode[] = [];
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) {
        fragments.set(definition.name.value, definition);
      } else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    }
    const named = operations.filter(({ name }) => name?.value === params.operationName);
    return greatest((named.length > 0 ? named : operations).map(measureOperation));

    function measureOperation(operation: OperationDefinitionNode): Measure {
      const root = schema.getRootType(operation.operation);
      if (!root) return NOTHING;
      const variables = readVariables(operation, params.variables);
      const known = new Map<string, Measure>();
      return measureSelections(operation.selectionSet, root, { ofAllTypes: false });

      function measureSelections(
        { selections }: SelectionSetNode,
        parent: GraphQLCompositeType,
        around: Surroundings,
      ): Measure {
        let cost = 0;
        let depth = 0;
        for (const selection of selections) {
          const one = measureSelection(selection, parent, around);
          cost += one.cost;
          depth = Math.max(depth, one.depth);
        }
        return { cost, depth };
      }

      function measureSelection(
        selection: SelectionNode,
        parent: GraphQLCompositeType,
        around: Surroundings,
      ): Measure {
        switch (selection.kind) {
          case Kind.FIELD:
            return measureField(selection, parent, around);
          case Kind.INLINE_FRAGMENT: {
            const type = conditionOf(selection.typeCondition?.name.value) ?? parent;
            return measureSelections(selection.selectionSet, type, around);
          }
          case Kind.FRAGMENT_SPREAD:
            return measureFragment(selection.name.value, around);
        }
      }

      function measureFragment(name: string, around: Surroundings): Measure {
        const key = `${name} ${around.listSize} ${around.ofAllTypes}`;
        const measured = known.get(key);
        if (measured) return measured;
        // Should it spread itself, which validation refuses, it is found here.
        known.set(key, NOTHING);
        const fragment = fragments.get(name);
        const type = conditionOf(fragment?.typeCondition.name.value);
        if (!fragment || !type) return NOTHING;
        const found = measureSelections(fragment.selectionSet, type, around);
        known.set(key, found);
        return found;
      }

      function measureField(
        node: FieldNode,
        parent: GraphQLCompositeType,
        around: Surroundings,
      ): Measure {
        const field = schema.getField(parent, node.name.value);
        if (!field) return NOTHING;
        const announced = announcedBy(field, node, variables) ?? around.listSize;
        const isRepeated = isListType(getNullableType(field.type)) || parent === subscription;
        const times = isRepeated ? sizeOf(parent, field, announced, around) : 1;
        const type = getNamedType(field.type);
        const inside =
          isCompositeType(type) && node.selectionSet
            ? measureSelections(node.selectionSet, type, {
                listSize: isRepeated ? undefined : announced,
                ofAllTypes: type.name === '__Type' ? field.name === 'types' : around.ofAllTypes,
              })
            : NOTHING;
        const isCall = roots.some((root) => root === parent) && !field.name.startsWith('__');
        return {
          cost: (isCall ? CALL : 0) + times * (1 + inside.cost),
          depth: 1 + inside.depth,
        };
      }
    }

    function conditionOf(name: string | undefined): GraphQLCompositeType | undefined {
      const type = name === undefined ? undefined : schema.getType(name);
      return isCompositeType(type) ? type : undefined;
    }
  };

  function sizeOf(
    parent: GraphQLCompositeType,
    { name }: GraphQLField<unknown, unknown>,
    announced: number | undefined,
    { ofAllTypes }: Surroundings,
  ): number {
    if (parent === subscription) return EVENTS;
    const known = introspection.get(`${parent.name}.${name}`);
    if (known) return ofAllTypes ? known.mean : known.max;
    return announced ?? LIST_SIZE;
  }
}

function announcedBy(
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

function readVariables(
  { variableDefinitions }: OperationDefinitionNode,
  given: OperationParams['variables'],
): Record<string, unknown> {
  const presets = (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return { ...Object.fromEntries(presets), ...given };
}

function greatest(measures: Measure[]): Measure {
  return {
    cost: Math.max(0, ...measures.map(({ cost }) => cost)),
    depth: Math.max(0, ...measures.map(({ depth }) => depth)),
  };
}
