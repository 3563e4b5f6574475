import type { Door, Service } from '../http/door.ts';
import { describeError, errorResponse } from '../http/error-response.ts';
import { eventStream } from '../http/event-stream.ts';
import { readJson } from '../http/read-json.ts';
import type { Handler } from '../http/route.ts';
import { createRouteDoor } from '../http/route-door.ts';
import { readRequest } from './read-request.ts';
import { createWriteParts, writeFailure } from './write-parts.ts';

/** Chats of the AI SDK: the UI message stream protocol, version 1. */
export function createAiSdk(service: Service): Door {
  return createRouteDoor(service, {
    path: '/v1',
    routes: [['POST', '/chat', 'answerQuestion', chat]],
    renderError: errorResponse,
  });
}

/** POST /v1/chat */
const chat: Handler = async (context) => {
  const { useCases, call, request, idempotencyKey } = context;
  const asked = { ...readRequest(await readJson(request)), idempotencyKey };
  const events = useCases.askQuestion(call, { ...asked, sources: 'with-answer' });
  const format = {
    write: createWriteParts(),
    fail: (error: unknown) => writeFailure(describeError(error)),
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  };
  return eventStream(events, format, context);
};
