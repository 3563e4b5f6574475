import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { serveWhenAsked } from '../processes.ts';
import { randomVectors } from '../vectors.ts';
import { listening } from './listening.ts';

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
  ...words.map((content) => piece({ content })),
  piece({}, 'stop'),
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

function embeddingsBody(embedding: string | number[]): string {
  const data = [{ object: 'embedding', index: 0, embedding }];
  const usage = { prompt_tokens: 1, total_tokens: 1 };
  return JSON.stringify({ object: 'list', model: 'text-embedding-3-small', data, usage });
}

function piece(delta: object, end: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: end }];
  const chunk = { id: 'chat', object: 'chat.completion.chunk', model: 'gpt-4.1-mini', choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
