import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { McpContext } from '../context.ts';
import { FILE_METADATA, presentMetadata } from '../present.ts';
import { addDatasetTool } from './add-tool.ts';
import { optional } from './optional.ts';

/** `fetch`, with the arguments and results that ChatGPT expects. */
export function addFetch(server: McpServer, context: McpContext): void {
  const { useCases } = context;
  addDatasetTool(server, context, {
    name: 'fetch',
    title: 'Read a file',
    description: `Returns the text and the metadata of a file. Of a long file it returns about ${LIMITS.textCharacters} characters, and says where to go on.`,
    input: {
      id: z.string('id is required').describe('The id of a file, from search or list_files.'),
      start: optional(z.number()).describe(
        'Where to begin in a long file: metadata.next of the part before.',
      ),
    },
    output: {
      id: z.string().describe('The id of the file.'),
      title: z.string().describe('The name of the file.'),
      text: z.string().describe('The text of the file, or a part of it.'),
      url: z.string().describe('Downloads the file, without a credential.'),
      metadata: FILE_METADATA.extend({
        next: z
          .number()
          .optional()
          .describe('The start of the next part; missing at the end of the file.'),
      }),
    },
    async run({ id, start, datasetId }, { call }) {
      const asked = { datasetId, fileId: String(id), start };
      const { file, text, next } = await useCases.readFile(call, asked);
      const [url] = await useCases.signFiles(call, { datasetId, files: [file] });
      if (!url) throw new AppError('FILE_NOT_FOUND');
      const { fileId, originalName } = file;
      const metadata = presentMetadata(file);
      const whole = { id: fileId, title: originalName, text, url, metadata };
      if (next === null) return whole;
      return {
        ...whole,
        text: `${text}\n\n[The text goes on: call fetch with start ${next} to read more.]`,
        metadata: { ...metadata, next },
      };
    },
  });
}
