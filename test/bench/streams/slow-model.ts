import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { serveWhenAsked } from '../requests/processes.ts';
import { listening } from '../requests/servers/listening.ts';
import { embeddingsBody, pieceOf } from '../requests/servers/openai-protocol.ts';
import { randomVectors } from '../requests/vectors.ts';
import { type Pace, readPace } from './pace.ts';
import { stampedDelta } from './stamps.ts';

/* A slow model: OpenAI's protocol, and answers as `readPace` says. */

const [vector = new Float32Array()] = randomVectors(1);
const embeddings = embeddingsBody(Buffer.from(vector.buffer).toString('base64'));

serveWhenAsked(() =>
  listening(
    createServer(async (request, response) => {
      const { stream, model } = (await json(request)) as Record<string, unknown>;
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
      if (!stream) response.end(embeddings);
      else await answer(response, readPace(String(model)));
    }),
  ),
);

async function answer(response: ServerResponse, { deltas, least, most }: Pace): Promise<void> {
  for (let sent = 0; sent < deltas && !response.destroyed; sent++) {
    await setTimeout(least + Math.random() * (most - least));
    response.write(pieceOf({ content: stampedDelta() }));
  }
  response.end(`${pieceOf({}, 'stop')}data: [DONE]\n\n`);
}
