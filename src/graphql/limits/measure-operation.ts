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
import { declaredSize } from './list-size.ts';

/** The maximum size of an operation's response. */
export interface Measure {
  /** The number of values in the response, plus `CALL` for each field that calls a use case. */
  cost: number;
  /** The number of nested fields. */
  depth: number;
}

/** The parameters of an operation, as sent by the client. */
export interface OperationParams {
  operationName?: unknown;
  variables?: Record<string, unknown> | null | undefined;
}

/** The cost of a field that calls a use case. */
const CALL = 100;
/** The assumed size of a list whose field does not declare one. */
const LIST_SIZE = 10;
/** The assumed number of events in a subscription: the deltas of a long answer. */
const EVENTS = 100;

const NOTHING: Measure = { cost: 0, depth: 0 };

/** What the enclosing fields imply. */
interface FieldContext {
  /** The size that an enclosing field declares for the lists in it. */
  listSize?: number | undefined;
  /** Whether the field is selected on every type of the schema. The mean size is then exact. */
  ofAllTypes: boolean;
}

/**
 * Measures operations before they run, in time linear in the length of the document: each fragment
 * is measured once, no matter how often it is spread. The document need not be valid. Unknown
 * fields and fragments, which validation will reject, cost nothing.
 */
export function createMeasure(schema: GraphQLSchema) {
  const introspection = introspectionSizes(schema);
  const subscription = schema.getSubscriptionType();
  const roots = [schema.getQueryType(), schema.getMutationType(), subscription];

  /**
   * Measures the operation that will run. If it is not named, returns the maximum over all
   * operations.
   */
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
      const measuredFragments = new Map<string, Measure>();
      return measureSelections(operation.selectionSet, root, { ofAllTypes: false });

      function measureSelections(
        { selections }: SelectionSetNode,
        parent: GraphQLCompositeType,
        context: FieldContext,
      ): Measure {
        let cost = 0;
        let depth = 0;
        for (const selection of selections) {
          const one = measureSelection(selection, parent, context);
          cost += one.cost;
          depth = Math.max(depth, one.depth);
        }
        return { cost, depth };
      }

      function measureSelection(
        selection: SelectionNode,
        parent: GraphQLCompositeType,
        context: FieldContext,
      ): Measure {
        switch (selection.kind) {
          case Kind.FIELD:
            return measureField(selection, parent, context);
          case Kind.INLINE_FRAGMENT: {
            const type = conditionOf(selection.typeCondition?.name.value) ?? parent;
            return measureSelections(selection.selectionSet, type, context);
          }
          case Kind.FRAGMENT_SPREAD:
            return measureFragment(selection.name.value, context);
        }
      }

      function measureFragment(name: string, context: FieldContext): Measure {
        const key = `${name} ${context.listSize} ${context.ofAllTypes}`;
        const measured = measuredFragments.get(key);
        if (measured) return measured;
        // Guards against a fragment that spreads itself; validation rejects it later.
        measuredFragments.set(key, NOTHING);
        const fragment = fragments.get(name);
        const type = conditionOf(fragment?.typeCondition.name.value);
        if (!fragment || !type) return NOTHING;
        const found = measureSelections(fragment.selectionSet, type, context);
        measuredFragments.set(key, found);
        return found;
      }

      function measureField(
        node: FieldNode,
        parent: GraphQLCompositeType,
        context: FieldContext,
      ): Measure {
        const field = schema.getField(parent, node.name.value);
        if (!field) return NOTHING;
        const declared = declaredSize(field, node, variables) ?? context.listSize;
        const isRepeated = isListType(getNullableType(field.type)) || parent === subscription;
        const times = isRepeated ? sizeOf(parent, field, declared, context) : 1;
        const type = getNamedType(field.type);
        const inside =
          isCompositeType(type) && node.selectionSet
            ? measureSelections(node.selectionSet, type, {
                listSize: isRepeated ? undefined : declared,
                ofAllTypes: type.name === '__Type' ? field.name === 'types' : context.ofAllTypes,
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
    declared: number | undefined,
    { ofAllTypes }: FieldContext,
  ): number {
    if (parent === subscription) return EVENTS;
    const known = introspection.get(`${parent.name}.${name}`);
    if (known) return ofAllTypes ? known.mean : known.max;
    return declared ?? LIST_SIZE;
  }
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
