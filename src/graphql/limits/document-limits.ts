import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Lexer,
  Source,
  TokenKind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { AppError, invalidInput } from '../../core/errors.ts';
import { createMeasure } from './measure-operation.ts';
import type { OperationParams } from './read-variables.ts';

/** The limits for one operation. */
export interface OperationLimits {
  /** The maximum number of nested fields. */
  depth: number;
  /** The maximum number of values in the response, as counted by `createMeasure`. */
  cost: number;
}

/** The maximum number of tokens in a document. Legitimate documents have fewer. */
const MOST_TOKENS = 5000;
/** The maximum nesting of brackets in a document and of values in variables, so that recursive functions do not overflow the stack. */
const MOST_NESTED = 200;
/** The variables with more values than this are read once more, before the operation is executed. */
const MANY_VALUES = 1000;

/**
 * Rejects documents that ask for too much: long and deeply nested ones before they are parsed,
 * costly ones before they are validated.
 */
export function useDocumentLimits(schema: GraphQLSchema, limits: OperationLimits): Plugin {
  const measure = createMeasure(schema);
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => {
        refuseNesting(typeof source === 'string' ? new Source(source) : source);
        return parseFn(source, { ...options, maxTokens: MOST_TOKENS });
      });
    },
    onValidate({ context, params: { documentAST } }) {
      const isLarge = countValues(context.params.variables) > MANY_VALUES;
      if (isLarge) refuseWrongVariables(schema, documentAST, context.params);
      const { cost, depth } = measure(documentAST, context.params);
      if (depth > limits.depth)
        throw new AppError('QUERY_TOO_DEEP', { depth, limit: limits.depth });
      if (cost > limits.cost) {
        throw new AppError('QUERY_TOO_COSTLY', {
          cost: Math.min(Math.ceil(cost), Number.MAX_SAFE_INTEGER),
          limit: limits.cost,
        });
      }
    },
  };
}

/** Counts open brackets only. The parser reports documents that are not GraphQL. */
function refuseNesting(source: Source): void {
  const lexer = new Lexer(source);
  let open = 0;
  for (let count = 0; count < MOST_TOKENS; count++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (OPENING.has(kind)) open++;
    if (CLOSING.has(kind)) open--;
    if (open > MOST_NESTED) {
      throw new AppError('QUERY_TOO_DEEP', { depth: open, limit: MOST_NESTED });
    }
  }
}

/** @throws AppError INVALID_INPUT for values that are nested too deeply */
function countValues(variables: unknown): number {
  let level = [variables];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_NESTED) {
      invalidInput(`variables must be at most ${MOST_NESTED} levels deep`);
    }
    count += level.length;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return count;
}

/** The executor would write fifty messages, each with the whole value: this takes seconds for a large one. */
function refuseWrongVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: OperationParams,
): void {
  const name = typeof operationName === 'string' ? operationName : undefined;
  const definitions = getOperationAST(document, name)?.variableDefinitions ?? [];
  const { errors } = getVariableValues(schema, definitions, variables ?? {}, { maxErrors: 1 });
  if (errors?.[0]) invalidInput(errors[0].message);
}

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);
