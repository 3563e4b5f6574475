import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  type Behaviour,
  beginStream,
  createAnswerer,
  type Endpoint,
  endpointOf,
  readBody,
  writeDelta,
} from './openai-endpoints.ts';
import { refuse } from './openai-replies.ts';

/** What goes wrong with one request, instead of its answer. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Nothing comes, ever: not even headers, or nothing after them, or after the first words. */
  | 'silent'
  | 'silent after headers'
  | 'silent after words'
  /** The connection breaks after the first words. */
  | 'cut'
  /** The answer ends in good order after the first words, but nothing says that it is complete. */
  | 'ended early'
  /** After the first words comes what is no JSON. */
  | 'garbage';

/** A request that the double got. */
export interface RecordedRequest {
  endpoint: Endpoint | undefined;
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  body: any;
  /** As of `performance.now()`. */
  receivedAt: number;
  /** The port of the client, which tells its connections apart. */
  port: number | undefined;
  /** Whether the client went away before the answer was complete. */
  aborted: boolean;
}

export const KEY = 'sk-double-0123456789abcdef';
/** What comes before a fault in mid-answer: enough for a delta. */
export const FIRST_WORDS = 'These are the first words of an answer that never ends.';

/**
 * A server that speaks OpenAI's protocol: embeddings of words, answers that quote the best sentence
 * of the context, transcriptions of a fixed text. It records what it is asked, and fails on demand.
 */
export async function startOpenAiDouble(normally: Behaviour = {}, port = 0) {
  const behaviour = { ...normally };
  const requests: RecordedRequest[] = [];
  const faults: { endpoint: Endpoint; fault: Fault; times: number }[] = [];
  const answer = createAnswerer(behaviour);

  const server = createServer(async (request, response) => {
    const { headers } = request;
    const { pathname: path } = new URL(request.url ?? '', 'http://double');
    const endpoint = endpointOf(path);
    const receivedAt = performance.now();
    const port = request.socket.remotePort;
    const sent = await buffer(request).catch(() => undefined);
    // Who goes away before all was sent has asked nothing.
    if (!sent) return;
    const body = await readBody(sent, headers['content-type'] ?? '');
    const recorded: RecordedRequest = {
      ...{ endpoint, path, headers, body, receivedAt, port },
      aborted: false,
    };
    requests.push(recorded);
    response.on('close', () => {
      recorded.aborted = !response.writableFinished;
    });

    const fault = nextFault(endpoint);
    if (!isKnown(headers)) refuseKey(response, headers);
    else if (fault) breakDown(response, fault, Boolean(body?.stream));
    else await answer(endpoint, body, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;

  return {
    /** For OPENAI_BASE_URL. */
    url: `http://127.0.0.1:${address.port}/v1`,
    /** What it was asked, in order. */
    requests,
    asked: (endpoint: Endpoint) => requests.filter((request) => request.endpoint === endpoint),

    /** The next requests to an endpoint fail. */
    fail(endpoint: Endpoint, fault: Fault, times = 1): void {
      faults.push({ endpoint, fault, times });
    },

    /** Is different from now on. */
    behave(differently: Behaviour): void {
      Object.assign(behaviour, differently);
    },

    /** Is as it was at first, and forgets what it was asked. */
    mend(): void {
      for (const name of Object.keys(behaviour)) Reflect.deleteProperty(behaviour, name);
      Object.assign(behaviour, normally);
      faults.length = 0;
      requests.length = 0;
    },

    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  function nextFault(endpoint: Endpoint | undefined): Fault | undefined {
    const planned = faults.find((fault) => fault.endpoint === endpoint && fault.times > 0);
    if (planned) planned.times -= 1;
    return planned?.fault;
  }

  function isKnown({ authorization, 'api-key': azure }: IncomingHttpHeaders): boolean {
    const { key = KEY } = behaviour;
    return key === null || authorization === `Bearer ${key}` || azure === key;
  }
}

export type OpenAiDouble = Awaited<ReturnType<typeof startOpenAiDouble>>;

/** Some servers repeat the key, which must be in nobody's log. */
function refuseKey(response: ServerResponse, { authorization }: IncomingHttpHeaders): void {
  const message = `Incorrect API key provided: ${authorization?.slice('Bearer '.length)}.`;
  refuse(response, 401, { message, code: 'invalid_api_key' });
}

function breakDown(response: ServerResponse, fault: Fault, isStream: boolean): void {
  if (fault === 'silent') return;
  if (typeof fault === 'object') {
    const { status, headers = {}, body } = fault;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (body === undefined) refuse(response, status, { message: `${status} on purpose` });
    else response.writeHead(status).end(body);
    return;
  }
  if (isStream) beginStream(response);
  else response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  if (fault === 'silent after headers') return;

  if (isStream) writeDelta(response, { role: 'assistant', content: FIRST_WORDS });
  else response.write('{"data": [');
  if (fault === 'cut') setImmediate(() => response.destroy());
  if (fault === 'ended early') response.end();
  if (fault === 'garbage') response.end(isStream ? 'data: {"choices": [oops\n\n' : 'oops');
}
