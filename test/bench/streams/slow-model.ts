import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { serveWhenAsked } from '../requests/processes.ts';
import { listening } from '../requests/servers/listening.ts';
import { embeddingsBody, pieceOf } from '../requests/servers/openai-protocol.ts';
import { randomVectors } from '../requests/vectors.ts';
import { stampedDelta } from './stamps.ts';

/* A model that thinks: OpenAI's protocol, an answer of as many deltas as its name says, one every 50 to 100 ms. */

const PAUSE_MS = { least: 50, most: 100 };

const [vector = new Float32Array()] = randomVectors(1);
const embeddings = embeddingsBody(Buffer.from(vector.buffer).toString('base64'));

serveWhenAsked(() =>
  listening(
    createServer(async (request, response) => {
      const { stream, model } = (await json(request)) as Record<string, unknown>;
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
      if (!stream) response.end(embeddings);
      else await answer(response, Number(/\d+$/.exec(String(model))?.[0]));
    }),
  ),
);

async function answer(response: ServerResponse, deltas: number): Promise<void> {
  for (let sent = 0; sent < deltas && !response.destroyed; sent++) {
    const { least, most } = PAUSE_MS;
    await setTimeout(least + Math.random() * (most - least));
    response.write(pieceOf({ content: stampedDelta() }));
  }
  response.end(`${pieceOf({}, 'stop')}data: [DONE]\n\n`);
}
