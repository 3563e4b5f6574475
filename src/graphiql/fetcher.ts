import type { GraphiQLProps } from 'graphiql';
import { getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { createClient } from 'graphql-sse';

type Fetcher = NonNullable<GraphiQLProps['fetcher']>;
type Params = Parameters<Fetcher>[0];
/** A response of any kind; GraphiQL shows it as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: this is the type that GraphiQL gives it
type Shown = any;

interface Sink {
  next: (value: Shown) => void;
  error: (error: unknown) => void;
  complete: () => void;
}

/**
 * Sends GraphiQL's requests to the address of the page, with the key. An `Authorization` of
 * GraphiQL's headers comes first.
 */
export function createFetcher(keyOf: () => string): Fetcher {
  const url = location.origin + location.pathname;
  return (params, options) => {
    const headers = headersOf(keyOf(), options?.headers);
    const operation = operationOf(params);
    const request = { ...params, operationName: operation?.name?.value ?? params.operationName };
    return operation?.operation === 'subscription'
      ? subscribe(url, headers, request)
      : post(url, headers, request);
  };
}

function headersOf(key: string, given: Record<string, string> = {}): Record<string, string> {
  const lowered = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...(key && { authorization: `Bearer ${key}` }), ...Object.fromEntries(lowered) };
}

/**
 * The operation to run; `undefined` when the gateway should report the error. For a moment after the tab
 * was changed, GraphiQL still gives the name of the previous operation.
 */
function operationOf({ query, operationName }: Params): OperationDefinitionNode | undefined {
  try {
    const document = parse(query);
    return getOperationAST(document, operationName) ?? getOperationAST(document) ?? undefined;
  } catch {
    return undefined;
  }
}

async function post(url: string, headers: Record<string, string>, params: Params): Promise<Shown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  return response.json();
}

/** Each event is shown below those before it. */
function subscribe(url: string, headers: Record<string, string>, params: Params): Shown {
  return {
    subscribe(sink: Sink) {
      const events: unknown[] = [];
      // A retry would repeat the question, and its costs.
      const client = createClient({ url, headers, retryAttempts: 0 });
      const unsubscribe = client.subscribe(requestOf(params), {
        next(event) {
          events.push(event);
          sink.next({ events: [...events] });
        },
        error: (error) => void explain(error).then(sink.next, sink.error),
        complete: () => sink.complete(),
      });
      return { unsubscribe };
    },
  };
}

function requestOf({ query, variables, operationName }: Params) {
  return { query, variables, ...(operationName && { operationName }) };
}

/** The response of the gateway instead of events; a refused subscription has it as the first event of a stream. */
async function explain(error: unknown): Promise<Shown> {
  if (error instanceof Error && 'response' in error && error.response instanceof Response) {
    const text = await error.response.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  }
  throw error;
}
