import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RANGES } from '../../core/limits.ts';
import type { McpContext } from '../context.ts';
import { FILE_METADATA, fileUrl, presentMetadata } from '../present.ts';
import { addDatasetTool } from './add-tool.ts';
import { FILTERS } from './filters.ts';

const { min, max, preset } = RANGES.pageSize;

/** `list_files`: the files of a dataset, in pages. */
export function addListFiles(server: McpServer, context: McpContext): void {
  addDatasetTool(server, context, {
    name: 'list_files',
    title: 'List files',
    description: 'Lists the files, newest first. fetch with an id reads a file.',
    input: {
      filters: FILTERS,
      limit: z
        .number()
        .optional()
        .describe(`The maximum number of files, ${min} to ${max}; ${preset} by default.`),
      cursor: z.string().optional().describe('nextCursor of the page before.'),
    },
    output: {
      files: z.array(
        z.object({
          id: z.string(),
          title: z.string().describe('The name of the file.'),
          url: z.string().describe('The address of the file, which requires the credential.'),
          metadata: FILE_METADATA,
        }),
      ),
      nextCursor: z.string().optional().describe('The cursor of the next page, if there is one.'),
    },
    async run({ datasetId, filters, limit = preset, cursor: after }, { call }) {
      const where = { metadata: filters };
      const asked = { datasetId, limit, after, where };
      const { items, more, cursorOf } = await context.useCases.pageFiles(call, asked);
      const last = items.at(-1);
      return {
        files: items.map((file) => ({
          id: file.fileId,
          title: file.originalName,
          url: fileUrl(file, context),
          metadata: presentMetadata(file),
        })),
        ...(more && last && { nextCursor: cursorOf(last) }),
      };
    },
  });
}
