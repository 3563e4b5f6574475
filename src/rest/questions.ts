import type { AnswerEvent } from '../core/answer.ts';
import { ERRORS } from '../core/errors.ts';
import { eventStream } from '../http/event-stream.ts';
import { readJson } from '../http/read-json.ts';
import type { Handler } from '../http/route.ts';
import { presentSource } from './present.ts';

/** POST /v1/search */
export const search: Handler = async ({ useCases, call, request, idempotencyKey }) => {
  const data = await useCases.search(call, { ...(await readJson(request)), idempotencyKey });
  return Response.json({ success: true, data });
};

/** POST /v1/query */
export const answerQuestion: Handler = async (context) => {
  const { useCases, call, request, idempotencyKey } = context;
  const { stream, datasetId, question, filters } = await readJson(request);
  const asked = { datasetId, question, filters, stream, idempotencyKey };
  if (stream !== false) {
    const events = useCases.askQuestion(call, { ...asked, sources: false });
    return eventStream(events, { write, fail }, context);
  }
  const { result, sources } = await useCases.answerQuestion(call, asked);
  return Response.json({ success: true, data: { result, sources: sources.map(presentSource) } });
};

function write(event: AnswerEvent): string[] {
  if (event.type === 'delta') return [JSON.stringify({ delta: event.delta })];
  return event.type === 'completed' ? [JSON.stringify({ done: true })] : [];
}

function fail(): string[] {
  return [JSON.stringify({ error: ERRORS.STREAM_FAILED.text })];
}
