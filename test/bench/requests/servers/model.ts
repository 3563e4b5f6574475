import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { serveWhenAsked } from '../processes.ts';
import { randomVectors } from '../vectors.ts';
import { listening } from './listening.ts';
import { embeddingsBody, pieceOf } from './openai-protocol.ts';

/*
 * Models that take no time: OpenAI's protocol, one vector and one answer for every question, both
 * written before anybody asks.
 */
const [vector = new Float32Array()] = randomVectors(1);
const embeddings = {
  base64: embeddingsBody(Buffer.from(vector.buffer).toString('base64')),
  float: embeddingsBody(Array.from(vector)),
};
const words = Array.from({ length: 80 }, (_, at) => (at % 8 === 7 ? 'sentence. ' : 'word '));
const message = { role: 'assistant', content: words.join('') };
const completion = JSON.stringify({
  id: 'chat',
  object: 'chat.completion',
  model: 'gpt-4.1-mini',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
});
const pieces = [
  ...words.map((content) => pieceOf({ content })),
  pieceOf({}, 'stop'),
  'data: [DONE]\n\n',
];

serveWhenAsked(() =>
  listening(
    createServer(async (request, response) => {
      const { stream, encoding_format: format } = (await json(request)) as Record<string, unknown>;
      const isStream = stream === true;
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      if (request.url?.endsWith('/embeddings')) {
        response.end(format === 'base64' ? embeddings.base64 : embeddings.float);
      } else if (isStream) {
        for (const text of pieces) response.write(text);
        response.end();
      } else response.end(completion);
    }),
  ),
);
