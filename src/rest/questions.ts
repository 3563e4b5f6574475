import { AppError, ERRORS } from '../core/errors.ts';
import type { AnswerEvent } from '../core/model.ts';
import { readJson } from '../http/read-json.ts';
import { textStream } from '../http/text-stream.ts';
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
  if (stream !== false) return streamAnswer(useCases.askQuestion(call, question), context);
  const { result, sources } = await useCases.answerQuestion(call, question);
  return Response.json({ success: true, data: { result, sources: sources.map(presentSource) } });
};

/** The first delta is awaited before the status is sent: until then a failure is an answer of its own. */
async function streamAnswer(
  events: AsyncGenerator<AnswerEvent, void, undefined>,
  { leave, fail }: RouteContext,
): Promise<Response> {
  let first = await events.next();
  while (!first.done && first.value.type === 'sources') first = await events.next();
  return new Response(textStream(writeEvents(first, events, fail), leave), {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      // Proxies that buffer would hold the answer back until it is complete.
      'x-accel-buffering': 'no',
    },
  });
}

async function* writeEvents(
  first: IteratorResult<AnswerEvent, void>,
  events: AsyncGenerator<AnswerEvent, void, undefined>,
  fail: (error: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  try {
    for (let event = first; !event.done; event = await events.next()) {
      if (event.value.type === 'delta') yield message({ delta: event.value.delta });
      if (event.value.type === 'completed') yield message({ done: true });
    }
  } catch (error) {
    fail(error);
    yield message({ error: ERRORS.STREAM_FAILED.text });
  } finally {
    await events.return();
  }
}

function message(event: { delta: string } | { done: true } | { error: string }): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
