import { createMcpHandler } from '@modelcontextprotocol/server';
import { KEEP_ALIVE_MS } from '../http/or-idle.ts';
import type { McpContext } from './context.ts';
import { createProtocolServer } from './protocol-server.ts';

/** Answers the messages of a request whose body has already been read. */
export async function answerMessages(
  request: Request,
  parsedBody: unknown,
  context: McpContext,
): Promise<Response> {
  let failure: unknown;
  const { fetch } = createMcpHandler(() => createProtocolServer(context), {
    // It is also called for mistakes of clients.
    onerror(error) {
      failure = error;
    },
    // Comments are sent this often while a tool runs.
    keepAliveMs: KEEP_ALIVE_MS,
    // There is nothing to subscribe to.
    maxSubscriptions: 0,
  });
  const response = await fetch(request, { parsedBody });
  if (response.status >= 500) context.report(failure);
  return response;
}
