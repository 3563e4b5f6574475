import { type Plugin, processRegularResult } from 'graphql-yoga';
import { AppError } from '../core/errors.ts';
import type { GraphqlContext } from './context.ts';
import { formatFor } from './streamed-results.ts';

/** The content types for the result of a query or a mutation. */
const TYPES = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
];

/**
 * Refuses an operation whose result the client would not accept, before it is carried out and paid. (Yoga
 * only checks when there is a result.) Clients that accept neither type get errors as JSON.
 */
export function useAcceptedTypes(): Plugin<GraphqlContext> {
  return {
    onExecute({ args }) {
      if (!acceptsResult(args.contextValue.request)) throwNotAcceptable('application/json');
    },
    onSubscribe({ args }) {
      if (!formatFor(args.contextValue.request)) throwNotAcceptable('text/event-stream');
    },
    onResultProcess({ result, resultProcessor, setResultProcessor }) {
      if (resultProcessor || !('errors' in result)) return;
      setResultProcessor(processRegularResult, 'application/json');
    },
  };
}

function acceptsResult({ headers }: Request): boolean {
  const accepted = (headers.get('accept') || '*/*').toLowerCase().replaceAll(/\s/g, '').split(',');
  return accepted.some((range) => {
    const [wanted = '', ...params] = range.split(';');
    const charset = params.find((param) => param.startsWith('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') return false;
    return TYPES.some((type) => [type, type.replace(/\/.*/, '/*'), '*/*'].includes(wanted));
  });
}

function throwNotAcceptable(expected: string): never {
  throw new AppError('NOT_ACCEPTABLE', { expected });
}
