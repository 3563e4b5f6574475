import { eventStream } from '../http/event-stream.ts';
import { readJson } from '../http/read-json.ts';
import type { Handler } from '../http/route.ts';
import { errorObject } from './openai-errors.ts';
import { createWriteChunks, presentCompletion } from './present.ts';
import { readRequest } from './read-request.ts';

/** POST /v1/chat/completions */
export function createChatCompletions({ publicUrl }: { publicUrl: string | undefined }): Handler {
  return async (context) => {
    const { useCases, call, request, idempotencyKey } = context;
    const chat = readRequest(await readJson(request), call);
    const url = publicUrl ?? new URL(request.url).origin;
    const asked = { ...chat.asked, idempotencyKey };
    if (chat.stream) {
      const events = useCases.askQuestion(call, { ...asked, sources: 'with-answer' });
      return eventStream(events, { write: createWriteChunks(chat, url), fail }, context);
    }
    const answer = await useCases.answerQuestion(call, asked);
    return Response.json(presentCompletion(answer, chat, url));
  };
}

function fail(error: unknown): string[] {
  return [JSON.stringify(errorObject(error))];
}
