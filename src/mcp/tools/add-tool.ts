import type { McpServer, ProgressToken, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import type { McpContext } from '../context.ts';
import { errorResult } from '../mcp-errors.ts';

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The arguments besides the dataset. The use-cases check what these schemas do not express. */
  input: z.ZodRawShape;
  output: z.ZodRawShape;
  run: (args: ToolArguments, context: ToolContext) => Promise<Record<string, unknown>>;
}

export type ToolArguments = Record<string, unknown>;

export interface ToolContext {
  call: Call;
  /** Reports progress to the client, if the client has asked for it. */
  progress: (done: number, message: string) => Promise<void>;
}

/** Adds a read-only tool. Its failures are results for the model to read. */
export function addTool(server: McpServer, context: McpContext, tool: Tool): void {
  const { name, title, description, input, output, run } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: z.object(input),
      outputSchema: z.object(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (args, { mcpReq }) => {
      const { requestId } = context.call;
      const signal = AbortSignal.any([context.call.signal, mcpReq.signal]);
      try {
        const call = { ...context.call, signal };
        const result = await run(args, { call, progress: createProgress(mcpReq) });
        // Clients before version 2025-06-18 read the text only.
        const text = JSON.stringify(result);
        return { structuredContent: result, content: [{ type: 'text', text }] };
      } catch (error) {
        if (!signal.aborted) context.report(error);
        return errorResult(error, requestId);
      }
    },
  );
}

/** The same for a tool that works on one dataset. */
export function addDatasetTool(server: McpServer, context: McpContext, tool: Tool): void {
  const { input, run } = tool;
  addTool(server, context, {
    ...tool,
    input: context.hasDataset ? input : { ...input, datasetId: DATASET_ID },
    run: (args, tools) =>
      run({ ...args, datasetId: args['datasetId'] ?? context.datasetId }, tools),
  });
}

const DATASET_ID = z
  .string('datasetId is required')
  .describe('The dataset to work on; list_datasets tells which there are.');

function createProgress({ _meta, notify }: ServerContext['mcpReq']): ToolContext['progress'] {
  const token: ProgressToken | undefined = _meta?.progressToken;
  return async (progress, message) => {
    if (token === undefined) return;
    const params = { progressToken: token, progress, message };
    await notify({ method: 'notifications/progress', params });
  };
}
