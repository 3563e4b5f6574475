import { orIdle } from './or-idle.ts';
import type { RouteContext } from './route.ts';
import { textStream, UNBUFFERED } from './text-stream.ts';

/** How a protocol writes a stream: the data of its messages, each without a line break. */
export interface EventFormat<E> {
  write: (event: E) => string[];
  /** The last message of a stream that fails after its status was sent. */
  fail: (error: unknown) => string[];
  /** Headers in addition to those of every event stream. */
  headers?: Record<string, string>;
}

/** A comment, which clients of an event stream ignore. */
const COMMENT = ':\n\n';

/**
 * Answers with server-sent events. Waits for the first event before it sends the status, at most until
 * the first comment is due: until then a failure still gets an error status.
 */
export async function eventStream<E>(
  events: AsyncGenerator<E, void, undefined>,
  format: EventFormat<E>,
  { request, cancel, report }: Pick<RouteContext, 'request' | 'cancel' | 'report'>,
): Promise<Response> {
  const first = events.next();
  const isIdle = (await orIdle(first)) === undefined;
  return new Response(textStream(writeEvents(first, isIdle, events, format, report), cancel), {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: /^close$/i.test(request.headers.get('connection') ?? '') ? 'close' : 'keep-alive',
      ...UNBUFFERED,
      ...format.headers,
    },
  });
}

async function* writeEvents<E>(
  first: Promise<IteratorResult<E, void>>,
  isIdle: boolean,
  events: AsyncGenerator<E, void, undefined>,
  { write, fail }: EventFormat<E>,
  report: (error: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  let next = first;
  try {
    if (isIdle) yield COMMENT;
    for (;;) {
      const event = await orIdle(next);
      if (event === undefined) {
        yield COMMENT;
        continue;
      }
      if (event.done) return;
      for (const data of write(event.value)) yield message(data);
      next = events.next();
    }
  } catch (error) {
    report(error);
    for (const data of fail(error)) yield message(data);
  } finally {
    // After the client disconnects, nothing awaits it.
    next.catch(() => {});
    await events.return();
  }
}

function message(data: string): string {
  return `data: ${data}\n\n`;
}
