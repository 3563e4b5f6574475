import type { GraphQLError } from 'graphql';
import { handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import { errorHeaders } from '../http/error-response.ts';
import type { GraphqlContext, ServerContext } from './context.ts';
import { causeOf, toGraphqlError } from './graphql-errors.ts';

/** Gives every failure its public form, and reports the unexpected ones. */
export function usePublicErrors(): Plugin<GraphqlContext, ServerContext> {
  const hook = ({ args }: { args: { contextValue: GraphqlContext } }) => {
    const { explain } = args.contextValue;
    return (payload: Parameters<typeof handleStreamOrSingleExecutionResult>[0]) =>
      handleStreamOrSingleExecutionResult(payload, ({ result, setResult }) => {
        if (result.errors) setResult({ ...result, errors: result.errors.map(explain) });
      });
  };
  return {
    onExecute: (payload) => ({ onExecuteDone: hook(payload) }),
    onSubscribe: (payload) => ({ onSubscribeResult: hook(payload) }),
    // Failures before or after an operation.
    onResultProcess({ result, setResult, serverContext }) {
      if (!('errors' in result) || !result.errors) return;
      const { call, requestError } = serverContext;
      const shown = 'data' in result ? result.errors : leadingErrors(result.errors);
      const errors = shown.map((error) => {
        const cause = causeOf(error);
        return cause === undefined ? toGraphqlError(error, call.requestId) : requestError(cause);
      });
      setResult({ ...result, errors, ...('data' in result ? {} : withCode(errors[0])) });
    },
  };
}

/** Further errors are left out when those before them take as many characters. */
const MOST_CHARACTERS = 50_000;

/**
 * The first errors of a request that is rejected as a whole. Each quotes the variable or the part of the
 * document that is wrong, so that a response with all of them could be a hundred times as long as the request.
 */
function leadingErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  let left = MOST_CHARACTERS;
  return errors.filter(({ message }) => {
    const isShown = left > 0;
    left -= message.length;
    return isShown;
  });
}

/** A request that is rejected as a whole has the code as a header, too. Yoga does not print `http`. */
function withCode(error: GraphQLError | undefined) {
  const code = error?.extensions['code'];
  return (
    typeof code === 'string' && {
      extensions: { http: { headers: errorHeaders({ code, details: {} }) } },
    }
  );
}
