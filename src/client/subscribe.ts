import { FilequeryError, notFilequery } from './client-errors.ts';
import { type Connection, dataOf, type RequestOptions, receive } from './connection.ts';
import { readEvents } from './read-events.ts';

/** An operation as it is sent. */
export interface Operation {
  query: string;
  variables: object;
}

/**
 * The data of the events of a subscription that ends with a certain event. A stream that breaks off is
 * asked for again with its idempotency key: the gateway then sends the same events, of which only those
 * are given that were not given before.
 *
 * @throws FilequeryError
 */
export async function* subscribe<T>(
  connection: Connection,
  operation: Operation,
  { isLast, ...options }: RequestOptions & { isLast: (data: T) => boolean },
): AsyncGenerator<T, void, undefined> {
  const attempts = connection.begin(options);
  const given: string[] = [];

  for (;;) {
    const credential = await attempts.credential();
    let count = 0;
    try {
      for await (const data of subscribeOnce<T>(connection, operation, credential, options)) {
        const text = JSON.stringify(data);
        const before = given[count++];
        if (before === undefined) {
          given.push(text);
          yield data;
        } else if (before !== text) throw changed();
        if (isLast(data)) return;
      }
      throw new FilequeryError('The answer broke off', { code: 'NETWORK' });
    } catch (error) {
      // The gateway gave up this answer; another try would write another one.
      if (count > 0 && !isBroken(error)) throw error;
      await attempts.failed(error);
    }
  }
}

/** The data of the events of one request, until they end. @throws FilequeryError */
export async function* subscribeOnce<T>(
  connection: Connection,
  operation: Operation,
  credential: string,
  { signal }: RequestOptions,
): AsyncGenerator<T, void, undefined> {
  const response = await connection.sendOnce(
    { method: 'POST', path: '/graphql', headers: HEADERS, body: JSON.stringify(operation), signal },
    credential,
  );
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    throw notFilequery(response.status);
  }
  const messages = readEvents(response);
  try {
    for (;;) {
      const { done, value } = await receive(() => messages.next(), signal);
      if (done) return;
      if (value.event !== 'next') continue;
      yield dataOf<T>(JSON.parse(value.data));
    }
  } finally {
    await messages.return();
  }
}

const HEADERS = { 'content-type': 'application/json', accept: 'text/event-stream' };

function isBroken(error: unknown): boolean {
  return error instanceof FilequeryError && error.code === 'NETWORK';
}

/** An answer that broke off for good was not paid, and the next one is another. */
function changed(): FilequeryError {
  return new FilequeryError('The answer broke off and cannot be continued: ask again', {
    code: 'ANSWER_CHANGED',
  });
}
