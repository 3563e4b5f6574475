import { AppError, ERRORS } from '../core/errors.ts';
import type { AnswerEvent } from '../core/model.ts';
import { readJson } from '../http/read-json.ts';
import { textStream, UNBUFFERED } from '../http/text-stream.ts';
import { presentSource } from './present.ts';
import type { Handler, RouteContext } from './route.ts';

/** POST /v1/search */
export const search: Handler = async ({ useCases, call, request }) => {
  const data = await useCases.search(call, await readJson(request));
  return Response.json({ success: true, data });
};

/** POST /v1/query */
export const query: Handler = async (context) => {
  const { useCases, call, request } = context;
  const { stream, ...question } = await readJson(request);
  if (typeof (stream ?? true) !== 'boolean') {
    throw new AppError('INVALID_INPUT', { reason: 'stream must be true or false' });
  }
  if (stream !== false)
    return streamAnswer(useCases.askQuestion(call, { ...question, sources: false }), context);
  const { result, sources } = await useCases.answerQuestion(call, question);
  return Response.json({ success: true, data: { result, sources: sources.map(presentSource) } });
};

/** A stream that is silent for longer may be cut by what is in between, or given up by its reader. */
const SILENCE_MS = 10_000;
/** What readers of an event stream pass over. */
const COMMENT = ':\n\n';

/**
 * The first delta is awaited before the status is sent, for as long as that goes without a word:
 * until then a failure is an answer of its own.
 */
async function streamAnswer(
  events: AsyncGenerator<AnswerEvent, void, undefined>,
  { cancel, report }: RouteContext,
): Promise<Response> {
  const first = events.next();
  const isSilent = (await orSilence(first)) === undefined;
  return new Response(textStream(writeEvents(first, isSilent, events, report), cancel), {
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
  isSilent: boolean,
  events: AsyncGenerator<AnswerEvent, void, undefined>,
  report: (error: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  let next = first;
  try {
    if (isSilent) yield COMMENT;
    for (;;) {
      const event = await orSilence(next);
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
    // Its reader may have gone away: then nobody waits for it.
    next.catch(() => {});
    await events.return();
  }
}

/** What comes, or nothing when it takes too long: it may be awaited again. */
async function orSilence<T>(coming: Promise<T>): Promise<T | undefined> {
  const { promise: silence, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), SILENCE_MS);
  try {
    return await Promise.race([coming, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function message(event: { delta: string } | { done: true } | { error: string }): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
