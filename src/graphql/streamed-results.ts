import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { orIdle } from '../http/or-idle.ts';
import { textStream, UNBUFFERED } from '../http/text-stream.ts';

/** The format of the events of a subscription; each text is sent in one write. */
interface StreamFormat {
  type: string;
  headers?: Record<string, string>;
  begin: string;
  event: (value: unknown) => string;
  idle: string;
  end: string;
}

/**
 * Server-sent events, in the distinct connections mode. (Yoga's own stream takes two writes for each.)
 *
 * Source: https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md
 */
const EVENTS: StreamFormat = {
  type: 'text/event-stream',
  headers: { connection: 'keep-alive', 'content-encoding': 'none' },
  // Some browsers wait for a first byte.
  begin: ':\n\n',
  event: (value) => `event: next\ndata: ${JSON.stringify(value)}\n\n`,
  idle: ':\n\n',
  end: 'event: complete\ndata:\n\n',
};

const BOUNDARY = 'graphql';

/**
 * The parts of a multipart response, which Apollo's clients request with
 * `multipart/mixed;subscriptionSpec=1.0`. The boundary follows each part at once, because clients wait for
 * it before they read the part.
 *
 * Source: https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
const PARTS: StreamFormat = {
  type: `multipart/mixed;boundary="${BOUNDARY}";subscriptionSpec=1.0`,
  begin: `\r\n--${BOUNDARY}`,
  event: (payload) => part({ payload }),
  idle: part({}),
  end: '--\r\n',
};

/** Sends the events of a subscription as they arrive, over SSE or as parts of a multipart response. */
export function useStreamedResults(): Plugin {
  return {
    onResultProcess({ request, result, setResultProcessor }) {
      if (!isAsyncIterable(result)) return;
      const format = formatFor(request);
      if (!format) return;
      const events = result[Symbol.asyncIterator]();
      const { type, headers } = format;
      setResultProcessor((_, { Response }) => {
        const body = textStream(write(events, format), () => void events.return?.());
        return new Response(body, {
          headers: { 'content-type': type, 'cache-control': 'no-cache', ...UNBUFFERED, ...headers },
        });
      }, type);
    },
  };
}

/** The format in which a client accepts the events of a subscription; none if it accepts neither. */
export function formatFor({ headers }: Request): StreamFormat | undefined {
  const accepted = headers.get('accept') || '*/*';
  const types = accepted.split(',');
  const acceptsParts = /^\s*multipart\/mixed\s*;.*subscriptionSpec="?1\.0/i;
  if (types.some((type) => acceptsParts.test(type))) return PARTS;
  const acceptsEvents = /^\s*(text\/(event-stream|\*)|\*\/\*)/i;
  return types.some((type) => acceptsEvents.test(type)) ? EVENTS : undefined;
}

async function* write(
  events: AsyncIterator<unknown>,
  { begin, event, idle, end }: StreamFormat,
): AsyncGenerator<string, void, undefined> {
  yield begin;
  let next = events.next();
  for (;;) {
    const come = await orIdle(next);
    if (come === undefined) {
      yield idle;
      continue;
    }
    if (come.done) break;
    yield event(come.value);
    next = events.next();
  }
  yield end;
}

function part(content: object): string {
  return `\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(content)}\r\n--${BOUNDARY}`;
}
