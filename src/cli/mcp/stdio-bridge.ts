import type { Readable } from 'node:stream';
import { readEvents } from '../../client/read-events.ts';
import { jsonLines } from '../json-lines.ts';
import { describeFailure } from '../remote/describe-failure.ts';

export interface BridgeOptions {
  input: Readable;
  /** Writes text unchanged. */
  write: (text: string) => void;
  /** Sends the body of a request to a server that speaks Streamable HTTP. */
  send: (body: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
}

interface Message {
  jsonrpc: '2.0';
  id?: string | number | null;
  method?: string;
  params?: { requestId?: unknown; name?: unknown; uri?: unknown; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: unknown };
  error?: unknown;
}

/** How long requests may take that are running when the input ends: their client may still read. */
const LAST_REQUESTS_MS = 30_000;
const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;
/** The envelope of clients of version 2026-07-28 and later: each request states its version. */
const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/**
 * Passes the messages of a client on standard input to a server, and the server's back, one line of
 * JSON each, until the input has ended and its requests are answered. Requests run concurrently, also
 * those of a batch. A cancelled request is one whose connection is closed: the server keeps no sessions
 * in which it could look for it.
 */
export async function bridgeStdio({ input, write, send }: BridgeOptions): Promise<void> {
  const running = new Map<unknown, AbortController>();
  const pending = new Set<Promise<void>>();
  /** Agreed in the handshake. */
  let negotiated: string | undefined;

  for await (const line of jsonLines(input)) {
    if (line.trim() === '') continue;
    for (const message of parseLine(line)) {
      const passed = pass(message).finally(() => pending.delete(passed));
      pending.add(passed);
    }
  }
  const tooLate = setTimeout(() => {
    for (const controller of running.values()) controller.abort();
  }, LAST_REQUESTS_MS);
  await Promise.all(pending);
  clearTimeout(tooLate);

  async function pass(message: Message | undefined): Promise<void> {
    if (!message) {
      return reply({ id: null, error: { code: PARSE_ERROR, message: 'Invalid message' } });
    }
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') return running.get(params?.requestId)?.abort();
    const controller = new AbortController();
    if (id !== undefined) running.set(id, controller);
    const isRequest = id !== undefined && method !== undefined;
    let isAnswered = false;
    try {
      const body = JSON.stringify(message);
      const response = await send(body, headersOf(message, negotiated), controller.signal);
      for await (const received of readMessages(response)) {
        if (method === 'initialize') {
          negotiated = String(received.result?.protocolVersion ?? negotiated);
        }
        isAnswered ||= received.method === undefined;
        // A refusal of the whole request has no id.
        if (id !== undefined) reply(received.error ? { ...received, id } : received);
      }
      if (isRequest && !isAnswered) throw new Error('the server sent no response');
    } catch (error) {
      if (id === undefined || controller.signal.aborted) return;
      reply({ id, error: { code: INTERNAL_ERROR, message: describeFailure(error) } });
    } finally {
      running.delete(id);
    }
  }

  function reply(message: Omit<Message, 'jsonrpc'>): void {
    write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** The message of a line, or those of a batch, which clients of version 2025-03-26 may send. */
function parseLine(line: string): (Message | undefined)[] {
  const value = parse(line);
  return Array.isArray(value) && value.length > 0 ? value.map(toMessage) : [toMessage(value)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toMessage(value: unknown): Message | undefined {
  const isMessage = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMessage ? (value as Message) : undefined;
}

/** What the headers must repeat from the message. */
function headersOf(
  { method, params }: Message,
  negotiated: string | undefined,
): Record<string, string> {
  const version = params?._meta?.[VERSION_META];
  if (typeof version !== 'string') {
    return negotiated && method !== 'initialize' ? { 'mcp-protocol-version': negotiated } : {};
  }
  const name = method === 'resources/read' ? params?.uri : params?.name;
  return {
    'mcp-protocol-version': version,
    ...(method !== undefined && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Text that a header cannot have is sent as base64. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

async function* readMessages(response: Response): AsyncGenerator<Message> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    for await (const { data } of readEvents(response)) if (data !== '') yield JSON.parse(data);
    return;
  }
  const text = await response.text();
  if (text === '') return;
  const message = toMessage(parse(text));
  if (message?.jsonrpc !== '2.0') {
    throw new Error(`the server answered ${response.status}: ${text.slice(0, 200)}`);
  }
  yield message;
}
