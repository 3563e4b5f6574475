import { type GraphQLSchema, Lexer, Source, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { AppError, invalidInput } from '../../core/errors.ts';
import { createMeasure } from './measure-operation.ts';

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
      refuseNestedValues(context.params.variables);
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

function refuseNestedValues(variables: unknown): void {
  let level = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_NESTED) {
      invalidInput(`variables must be at most ${MOST_NESTED} levels deep`);
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
}

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);
