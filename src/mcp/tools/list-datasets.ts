import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { datasetCursor, nextCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import type { McpContext } from '../context.ts';
import { addTool } from './add-tool.ts';
import { NEXT_CURSOR, pageInput } from './paging.ts';

/** `list_datasets`, for callers who must name the dataset in every tool call. */
export function addListDatasets(server: McpServer, context: McpContext): void {
  addTool(server, context, {
    name: 'list_datasets',
    title: 'List datasets',
    description: 'Lists the datasets, which the other tools take as datasetId.',
    input: pageInput('datasets'),
    output: {
      datasets: z.array(z.object({ datasetId: z.string(), fileCount: z.number() })),
      nextCursor: NEXT_CURSOR,
    },
    async run({ limit = RANGES.pageSize.preset, cursor }, { call }) {
      const asked = { limit, after: cursor || null };
      const page = await context.useCases.listDatasets(call, asked);
      const next = nextCursor(page, datasetCursor);
      return {
        datasets: page.items.map(({ datasetId, fileCount }) => ({ datasetId, fileCount })),
        ...(next && { nextCursor: next }),
      };
    },
  });
}
