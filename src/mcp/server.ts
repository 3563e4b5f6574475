import { Hono } from 'hono';
import { requirePrincipal, visibleDataset } from '../core/authorize.ts';
import { AppError } from '../core/errors.ts';
import { type Door, openCall, type Service } from '../http/door.ts';
import type { GatewayContext } from '../http/gateway-env.ts';
import { readMessages } from './read-messages.ts';
import { checkOrigin, type OriginOptions } from './request-origin.ts';
import { rpcErrorResponse } from './rpc-error-response.ts';

export interface McpOptions extends OriginOptions {
  /** The version of filequery. */
  version: string;
}

/**
 * Model Context Protocol over Streamable HTTP. Requests are independent, so that any of several gateways
 * can answer any request.
 */
export function createMcp(service: Service, options: McpOptions): Door {
  const routes: Door['routes'] = new Hono();
  routes.all('/', (context) => answer(service, options, context));
  return { path: '/mcp', routes };
}

async function answer(
  service: Service,
  { version, publicUrl, corsOrigins }: McpOptions,
  { req: { raw: request }, var: known }: GatewayContext,
): Promise<Response> {
  const { call, identify, report } = openCall(request, known, service);
  try {
    checkOrigin(request, { publicUrl, corsOrigins });
    await identify();
    // Before the body is read, and before any operation is known.
    const principal = requirePrincipal('describeViewer', call.principal);
    if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED');
    const parsedBody = await readMessages(request);

    const { searchParams, origin } = new URL(request.url);
    const named = searchParams.get('datasetId') || undefined;
    // Loaded when it is first needed: a gateway that is not used for MCP starts faster without it.
    const { answerMessages } = await import('./answer-messages.ts');
    return await answerMessages(request, parsedBody, {
      useCases: service.useCases,
      call,
      report,
      version,
      publicUrl: publicUrl ?? origin,
      datasetId: named,
      hasDataset: (visibleDataset(principal) ?? named) !== undefined,
    });
  } catch (error) {
    report(error);
    return rpcErrorResponse(error);
  }
}
