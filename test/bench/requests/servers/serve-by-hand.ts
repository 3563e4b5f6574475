import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Setup } from '../processes.ts';
import { createByHand } from './by-hand.ts';
import { listening } from './listening.ts';

/**
 * Node's own server, and the SQL and the calls of models by hand. Nothing is checked.
 *
 * @param retrieval what is retrieved for a question
 */
export async function serveByHand(setup: Setup, retrieval: 'search' | 'retrieve') {
  const byHand = await createByHand(setup);
  return listening(
    createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://floor');
      const customer = await byHand.authenticate(request.headers.authorization);
      const [, , what, fileId] = pathname.split('/');
      if (what === 'files') {
        const datasetId = searchParams.get('datasetId') ?? '';
        if (fileId) send(response, { file: await byHand.getFile(customer, datasetId, fileId) });
        else send(response, { files: await byHand.listFiles(customer, datasetId, null) });
        return;
      }
      const body = (await json(request)) as Record<string, string>;
      const { datasetId = '', question = '', stream } = body;
      await byHand.charge(customer, 0.1);
      const find = what === 'search' ? byHand.search : byHand[retrieval];
      const data = await find(customer, datasetId, question);
      if (what === 'search') return send(response, { data });

      const pieces = byHand.answer(question, data);
      if (String(stream) === 'false') {
        const result = (await Array.fromAsync(pieces)).join('');
        const sources = data.map(({ pageContent, metadata }) => ({ pageContent, metadata }));
        return send(response, { data: { result, sources } });
      }
      response.setHeader('content-type', 'text/event-stream');
      let delta = '';
      for await (const piece of pieces) {
        delta += piece;
        if (delta.length < 30) continue;
        response.write(`data: ${JSON.stringify({ delta })}\n\n`);
        delta = '';
      }
      if (delta !== '') response.write(`data: ${JSON.stringify({ delta })}\n\n`);
      response.end('data: {"done":true}\n\n');
    }),
  );
}

function send(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ success: true, ...body }));
}
