import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { nextCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import { fileUrl } from '../../http/file-url.ts';
import type { McpContext } from '../context.ts';
import { FILE, FILE_METADATA, presentMetadata } from '../present.ts';
import { addDatasetTool } from './add-tool.ts';
import { FILTERS } from './filters.ts';
import { NEXT_CURSOR, pageInput } from './paging.ts';

/** `list_files`: the files of a dataset, in pages. */
export function addListFiles(server: McpServer, context: McpContext): void {
  addDatasetTool(server, context, {
    name: 'list_files',
    title: 'List files',
    description: 'Lists the files, newest first. fetch with an id reads a file.',
    input: {
      filters: FILTERS,
      ...pageInput('files'),
    },
    output: {
      files: z.array(FILE.extend({ metadata: FILE_METADATA })),
      nextCursor: NEXT_CURSOR,
    },
    async run({ datasetId, filters, limit = RANGES.pageSize.preset, cursor }, { call }) {
      const where = { metadata: filters };
      const asked = { datasetId, limit, after: cursor || null, where, transcripts: false };
      const page = await context.useCases.pageFiles(call, asked);
      const next = nextCursor(page, page.cursorOf);
      return {
        files: page.items.map((file) => ({
          id: file.fileId,
          title: file.originalName,
          url: fileUrl(file, context.publicUrl),
          metadata: presentMetadata(file),
        })),
        ...(next && { nextCursor: next }),
      };
    },
  });
}
