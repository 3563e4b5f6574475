import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Citation } from '../../core/answer.ts';
import type { SearchHit } from '../../core/model.ts';
import { sourceIndex } from '../../http/source-index.ts';
import type { McpContext } from '../context.ts';
import { FILE, PASSAGE, presentFoundFile, presentPassage } from '../present.ts';
import { addDatasetTool } from './add-tool.ts';
import { FILTERS } from './filters.ts';

/** `ask`: an answer with its sources. */
export function addAsk(server: McpServer, context: McpContext): void {
  addDatasetTool(server, context, {
    name: 'ask',
    title: 'Ask a question',
    description:
      'Answers a question from the files, with the passages that the answer is based on. While the answer is written, its parts are sent as progress.',
    input: {
      question: z.string('question is required').describe('The question, as a whole sentence.'),
      filters: FILTERS,
    },
    output: {
      answer: z.string(),
      sources: z
        .array(PASSAGE.extend(FILE.shape))
        .describe('The passages that the answer is based on, best first.'),
      citations: z
        .array(
          z.object({
            statement: z.string().describe('A statement of the answer.'),
            source: z.number().describe('The number of its source; 1 is the first.'),
            supported: z.boolean().describe('Whether the words of the source carry the statement.'),
          }),
        )
        .describe('Which source each statement is from, in the order of the answer.'),
    },
    async run(args, { call, progress }) {
      let sources: SearchHit[] = [];
      let characters = 0;
      for await (const event of context.useCases.askQuestion(call, { ...args, sources: true })) {
        if (event.type === 'sources') sources = event.sources;
        if (event.type === 'delta') {
          characters += event.delta.length;
          await progress(characters, event.delta);
        }
        if (event.type === 'completed') {
          return {
            answer: event.result,
            sources: sources.map((hit) => ({
              ...presentFoundFile(hit, context),
              ...presentPassage(hit),
            })),
            citations: event.citations.map((one) => presentCitation(one, event.result, sources)),
          };
        }
      }
      throw new Error('an answer ended before it was complete');
    },
  });
}

function presentCitation(
  { start, end, hit, supported }: Citation,
  answer: string,
  sources: SearchHit[],
) {
  return { statement: answer.slice(start, end), source: sourceIndex(sources, hit) + 1, supported };
}
