import { readEvents } from './read-events.ts';
import { RefusedError } from './refused.ts';
import { type Remote, sendTo } from './remote.ts';
import { sendAgain } from './send-again.ts';

/**
 * The data of a query.
 *
 * @throws RefusedError when a field failed
 */
export async function query<T>(
  remote: Remote,
  document: string,
  variables: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<T> {
  const response = await send(remote, document, variables, 'application/json', signal);
  return dataOf(await readReply<T>(response));
}

/**
 * The events of a subscription.
 *
 * @throws RefusedError when it fails; a TypeError when the connection breaks
 */
export async function* subscribe<T>(
  remote: Remote,
  document: string,
  variables: Record<string, unknown>,
): AsyncGenerator<T> {
  const response = await send(remote, document, variables, 'text/event-stream');
  for await (const data of readEvents(response)) yield dataOf<T>(JSON.parse(data));
}

function send(
  remote: Remote,
  document: string,
  variables: Record<string, unknown>,
  accept: string,
  signal?: AbortSignal,
): Promise<Response> {
  return sendAgain(signal, () =>
    sendTo(remote, '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: document, variables }),
      signal: signal ?? null,
    }),
  );
}

interface Reply<T> {
  data: T;
  errors?: GraphqlError[];
}

async function readReply<T>(response: Response): Promise<Reply<T>> {
  try {
    return await response.json();
  } catch {
    throw new RefusedError(response.status, 'it is no filequery gateway');
  }
}

interface GraphqlError {
  message: string;
  extensions?: { code?: string };
}

function dataOf<T>({ data, errors }: Reply<T>): T {
  const [error] = errors ?? [];
  if (!error) return data;
  throw new RefusedError(STATUS[error.extensions?.code ?? ''] ?? 400, error.message);
}

/** GraphQL answers refusals with status 200: those that end a command have that of REST. */
const STATUS: Record<string, number> = {
  MISSING_CREDENTIAL: 401,
  INVALID_CREDENTIAL: 401,
  TOKEN_EXPIRED: 401,
  INSUFFICIENT_CREDITS: 402,
  PERMISSION_DENIED: 403,
};
