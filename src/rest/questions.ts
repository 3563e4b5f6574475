import type { AnswerEvent } from '../core/answer.ts';
import { AppError, ERRORS } from '../core/errors.ts';
import { readJson } from '../http/read-json.ts';
import { textStream, UNBUFFERED } from '../http/text-stream.ts';
import { presentSource } from './present.ts';
import type { Handler, RouteContext } from './route.ts';

/** POST /v1/search */
export const search: Handler = async ({ useCases, call, request, idempotencyKey }) => {
  const data = await useCases.search(call, { ...(await readJson(request)), idempotencyKey });
  return Response.json({ success: true, data });
};

/** POST /v1/query */
export const answerQuestion: Handler = async (context) => {
  const { useCases, call, request, idempotencyKey } = context;
  const { stream, datasetId, question, filters } = await readJson(request);
  if (typeof (stream ?? true) !== 'boolean') {
    throw new AppError('INVALID_INPUT', { reason: 'stream must be true or false' });
  }
  const asked = { datasetId, question, filters, idempotencyKey };
  if (stream !== false)
    return streamAnswer(useCases.askQuestion(call, { ...asked, sources: false }), context);
  const { result, sources } = await useCases.answerQuestion(call, asked);
  return Response.json({ success: true, data: { result, sources: sources.map(presentSource) } });
};

/** Proxies and clients may close a stream that is idle for longer than this. */
const KEEP_ALIVE_MS = 10_000;
/** A comment, which clients of an event stream ignore. */
const COMMENT = ':\n\n';

/**
 * Waits for the first delta before it sends the status, at most until the first comment is due: until
 * then a failure still gets an error status.
 */
async function streamAnswer(
  events: AsyncGenerator<AnswerEvent, void, undefined>,
  { cancel, report }: RouteContext,
): Promise<Response> {
  const first = events.next();
  const isIdle = (await orIdle(first)) === undefined;
  return new Response(textStream(writeEvents(first, isIdle, events, report), cancel), {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      ...UNBUFFERED,
    },
  });
}

async function* writeEvents(
  first: Promise<IteratorResult<AnswerEvent, void>>,
  isIdle: boolean,
  events: AsyncGenerator<AnswerEvent, void, undefined>,
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
      if (event.value.type === 'delta') yield message({ delta: event.value.delta });
      if (event.value.type === 'completed') yield message({ done: true });
      next = events.next();
    }
  } catch (error) {
    report(error);
    yield message({ error: ERRORS.STREAM_FAILED.text });
  } finally {
    // After the client went away nobody awaits it.
    next.catch(() => {});
    await events.return();
  }
}

/** The result, or `undefined` when it takes too long; it can be awaited again. */
async function orIdle<T>(coming: Promise<T>): Promise<T | undefined> {
  const { promise: idle, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS);
  try {
    return await Promise.race([coming, idle]);
  } finally {
    clearTimeout(timer);
  }
}

function message(event: { delta: string } | { done: true } | { error: string }): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
