import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { serveWhenAsked } from '../requests/processes.ts';
import { listening } from '../requests/servers/listening.ts';
import { embeddingsBody, pieceOf } from '../requests/servers/openai-protocol.ts';
import { randomVectors } from '../requests/vectors.ts';
import { lastDelta, stampedDelta } from './stamps.ts';

/*
 * A slow model: OpenAI's protocol, and answers with a pause before each delta, in milliseconds as in
 * the name of the model, such as `slow-50-100`. They go on until somebody asks for `/end`.
 */

const [vector = new Float32Array()] = randomVectors(1);
const embeddings = embeddingsBody(Buffer.from(vector.buffer).toString('base64'));
/** Answers that began before this time, by `performance.now()`, are to end. */
let endsBefore = 0;

serveWhenAsked(() =>
  listening(
    createServer(async (request, response) => {
      if (request.url === '/end') {
        endsBefore = performance.now();
        response.end();
        return;
      }
      const { stream, model } = (await json(request)) as Record<string, unknown>;
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
      if (!stream) response.end(embeddings);
      else await answer(response, String(model));
    }),
  ),
);

async function answer(response: ServerResponse, model: string): Promise<void> {
  const [least = 0, most = 0] = model.split('-').slice(1).map(Number);
  const begun = performance.now();
  let sent = 0;
  for (; endsBefore < begun && !response.destroyed; sent++) {
    await setTimeout(least + Math.random() * (most - least));
    response.write(pieceOf({ content: stampedDelta() }));
  }
  response.write(pieceOf({ content: lastDelta(sent) }));
  response.end(`${pieceOf({}, 'stop')}data: [DONE]\n\n`);
}
