import type { Citation, SearchHit } from '../../client/index.ts';
import { type Outcome, printable, printableLines } from '../output.ts';
import type { Remote } from '../remote/remote.ts';
import { placeOf } from './place.ts';
import { type FilterOptions, readFilters } from './read-filters.ts';
import { readQuestion } from './read-question.ts';

interface Answer {
  result: string;
  sources: SearchHit[];
  citations: Citation[];
}

/**
 * Asks a question.
 *
 * @param write gets the answer as it is written
 */
export async function ask(
  { client, datasetId }: Remote,
  { question, ...options }: { question: string } & FilterOptions,
  write: (text: string) => void,
): Promise<Outcome> {
  const data: Answer = { result: '', sources: [], citations: [] };
  const asked = readQuestion(question);
  for await (const event of client.ask(asked, { datasetId, filters: readFilters(options) })) {
    if (event.type === 'sources') data.sources = event.sources;
    if (event.type === 'delta') write(printableLines(event.delta));
    if (event.type === 'completed') {
      data.result = event.result;
      data.citations = event.citations;
    }
  }
  return { data, text: describeSources(data) };
}

/** The cited chunks; all sources where nothing was cited. */
function describeSources({ sources, citations }: Answer): string {
  const shown = citations.length > 0 ? citations.map(({ hit }) => hit) : sources;
  const places = new Set(shown.map((hit) => `- ${printable(placeOf(hit))}`));
  if (places.size === 0) places.add('Nothing was found in the dataset.');
  return ['', '', ...places].join('\n');
}
