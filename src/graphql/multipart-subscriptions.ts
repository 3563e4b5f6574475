import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { orIdle } from '../http/or-idle.ts';
import { textStream } from '../http/text-stream.ts';

const BOUNDARY = 'graphql';
const TYPE = `multipart/mixed;boundary="${BOUNDARY}";subscriptionSpec=1.0`;

/**
 * Sends the events of a subscription as the parts of one response to clients that accept
 * `multipart/mixed;subscriptionSpec=1.0`, as Apollo's clients do. (Yoga has SSE only.)
 *
 * Source: https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
export function useMultipartSubscriptions(): Plugin {
  return {
    onResultProcess({ request, result, setResultProcessor }) {
      if (!isAsyncIterable(result) || !acceptsParts(request)) return;
      const events = result[Symbol.asyncIterator]();
      setResultProcessor((_, { Response }) => {
        const body = textStream(partsOf(events), () => void events.return?.());
        return new Response(body, {
          headers: { 'content-type': TYPE, 'cache-control': 'no-cache' },
        });
      }, TYPE);
    },
  };
}

function acceptsParts({ headers }: Request): boolean {
  const accepted = headers.get('accept')?.split(',') ?? [];
  return accepted.some((type) => /^\s*multipart\/mixed\s*;.*subscriptionSpec="?1\.0/i.test(type));
}

/** The boundary follows each part at once, because clients wait for it before they read the part. */
async function* partsOf(events: AsyncIterator<unknown>): AsyncGenerator<string, void, undefined> {
  yield `\r\n--${BOUNDARY}`;
  let next = events.next();
  for (;;) {
    const event = await orIdle(next);
    if (event === undefined) {
      yield part({});
      continue;
    }
    if (event.done) break;
    yield part({ payload: event.value });
    next = events.next();
  }
  yield '--\r\n';
}

function part(content: object): string {
  return `\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(content)}\r\n--${BOUNDARY}`;
}
