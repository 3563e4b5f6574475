import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RANGES } from '../../core/limits.ts';
import { SEARCH_MODES } from '../../core/search-mode.ts';
import type { McpContext } from '../context.ts';
import { FILE, PASSAGE, presentFoundFiles } from '../present.ts';
import { addDatasetTool } from './add-tool.ts';
import { FILTERS } from './filters.ts';
import { optional } from './optional.ts';
import { limitOf } from './paging.ts';

/** `search`, with the arguments and results that ChatGPT expects. */
export function addSearch(server: McpServer, context: McpContext): void {
  addDatasetTool(server, context, {
    name: 'search',
    title: 'Search files',
    description:
      'Finds the passages of files that fit a query best. Each result is a file with the passages that were found in it; fetch with its id reads the whole file.',
    input: {
      query: z.string('query is required').describe('A question, or words to look for.'),
      filters: FILTERS,
      limit: limitOf('passages', RANGES.searchHits),
      mode: optional(z.enum(SEARCH_MODES)).describe(
        'By meaning (vector), by words (keyword), or both (hybrid, the default).',
      ),
    },
    output: {
      results: z
        .array(
          FILE.extend({
            passages: z.array(PASSAGE).describe('What was found in the file, best first.'),
          }),
        )
        .describe('The files, best first.'),
    },
    async run({ query, mode = 'hybrid', ...args }, { call }) {
      const hits = await context.useCases.search(call, { ...args, question: query, mode });
      return { results: presentFoundFiles(hits, context) };
    },
  });
}
