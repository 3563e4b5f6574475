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
} from 'graphql';
import { introspectionSizes } from './introspection-sizes.ts';
import { declaredSize } from './list-size.ts';
import { type OperationParams, readVariables } from './read-variables.ts';

/** The maximum size of an operation's response. */
export interface Measure {
  /** The number of values that are read for the response, plus `CALL` for each field that calls a use case. */
  cost: number;
  /** The number of nested fields. */
  depth: number;
}

/** The cost of a field that calls a use case. */
const CALL = 100;
/** The assumed size of a list whose field does not declare one. */
const LIST_SIZE = 10;
/** The assumed number of events in a subscription: the deltas of a long answer. */
const EVENTS = 100;

/** A measure of a part of an operation. `calls`: the fields that call a use case. */
interface Part {
  values: number;
  calls: number;
  depth: number;
}

const NOTHING: Part = { values: 0, calls: 0, depth: 0 };

/**
 * The context from the enclosing fields: the size that one of them declares for the lists in it; and whether
 * the field is selected on every type of the schema. The mean size is then exact.
 */
interface FieldContext {
  listSize?: number | undefined;
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

    function measureOperation(operation: OperationDefinitionNode): Part {
      const root = schema.getRootType(operation.operation);
      if (!root) return NOTHING;
      const variables = readVariables(operation, params);
      const measuredFragments = new Map<string, Part>();
      return measureSelections(operation.selectionSet, root, { ofAllTypes: false });

      function measureSelections(
        { selections }: SelectionSetNode,
        parent: GraphQLCompositeType,
        context: FieldContext,
      ): Part {
        const sum = { ...NOTHING };
        for (const selection of selections) {
          const one = measureSelection(selection, parent, context);
          sum.values += one.values;
          sum.calls += one.calls;
          sum.depth = Math.max(sum.depth, one.depth);
        }
        return sum;
      }

      function measureSelection(
        selection: SelectionNode,
        parent: GraphQLCompositeType,
        context: FieldContext,
      ): Part {
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

      function measureFragment(name: string, context: FieldContext): Part {
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
      ): Part {
        const field = schema.getField(parent, node.name.value);
        if (!field) return NOTHING;
        const ownSize = declaredSize(field, node, variables);
        const listSize = ownSize ?? context.listSize;
        const isRepeated = isListType(getNullableType(field.type)) || parent === subscription;
        const times = isRepeated ? sizeOf(parent, field, listSize, context) : 1;
        const type = getNamedType(field.type);
        const inside =
          isCompositeType(type) && node.selectionSet
            ? measureSelections(node.selectionSet, type, {
                listSize: isRepeated ? undefined : listSize,
                ofAllTypes: type.name === '__Type' ? field.name === 'types' : context.ofAllTypes,
              })
            : NOTHING;
        const isRoot = roots.some((root) => root === parent) && !field.name.startsWith('__');
        // A connection reads its objects, whatever is selected of them.
        const read = isRepeated ? 0 : (ownSize ?? 0) * (field.extensions.itemCost ?? 1);
        return {
          values: times * (1 + Math.max(inside.values, read)),
          calls: inside.calls + (isRoot || field.extensions.isCall ? 1 : 0),
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
    listSize: number | undefined,
    { ofAllTypes }: FieldContext,
  ): number {
    if (parent === subscription) return EVENTS;
    const known = introspection.get(`${parent.name}.${name}`);
    if (known) return ofAllTypes ? known.mean : known.max;
    return listSize ?? LIST_SIZE;
  }
}

function greatest(parts: Part[]): Measure {
  return {
    cost: Math.max(0, ...parts.map(({ values, calls }) => values + CALL * calls)),
    depth: Math.max(0, ...parts.map(({ depth }) => depth)),
  };
}
