import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readEvents } from '../../client/read-events.ts';
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

const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;
/** The envelope of clients of version 2026-07-28 and later: each request tells its version. */
const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/**
 * Passes the messages of a client on standard input to a server, and the server's back, one line of
 * JSON each, until the input ends. Requests run side by side. A cancelled request is one whose
 * connection is closed: the server keeps no sessions in which it could look for it.
 */
export async function bridgeStdio({ input, write, send }: BridgeOptions): Promise<void> {
  const running = new Map<unknown, AbortController>();
  const pending = new Set<Promise<void>>();
  /** Agreed in the handshake. */
  let negotiated: string | undefined;

  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const passed = pass(line).finally(() => pending.delete(passed));
    pending.add(passed);
  }
  for (const controller of running.values()) controller.abort();
  await Promise.all(pending);

  async function pass(line: string): Promise<void> {
    const message = parse(line);
    if (!message) return reply({ id: null, error: { code: PARSE_ERROR, message: 'Invalid JSON' } });
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') return running.get(params?.requestId)?.abort();
    const controller = new AbortController();
    if (id !== undefined) running.set(id, controller);
    try {
      const response = await send(line, headersOf(message, negotiated), controller.signal);
      for await (const received of readMessages(response)) {
        if (method === 'initialize') {
          negotiated = String(received.result?.protocolVersion ?? negotiated);
        }
        // A refusal of the whole request has no id.
        if (id !== undefined) reply(received.error ? { ...received, id } : received);
      }
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

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
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
  const message = parse(text);
  if (message?.jsonrpc !== '2.0') {
    throw new Error(`the server answered ${response.status}: ${text.slice(0, 200)}`);
  }
  yield message;
}
