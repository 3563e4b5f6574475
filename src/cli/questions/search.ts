import type { SearchHit, SearchOptions } from '../../client/index.ts';
import { ConfigurationError } from '../../core/errors.ts';
import { type Outcome, printable } from '../output.ts';
import type { Remote } from '../remote/remote.ts';
import { placeOf } from './place.ts';
import { type FilterOptions, readFilters } from './read-filters.ts';
import { readQuestion } from './read-question.ts';

export interface SearchCommand extends FilterOptions {
  question: string;
  limit?: string;
  mode?: string;
}

const TEXT_CHARACTERS = 300;

/** Searches, and shows the best chunks. */
export async function search(
  { client, datasetId }: Remote,
  { question, limit, mode, ...options }: SearchCommand,
): Promise<Outcome> {
  const data = await client.search(readQuestion(question), {
    datasetId,
    filters: readFilters(options),
    limit: limit === undefined ? undefined : readLimit(limit),
    // The gateway checks it.
    mode: mode as SearchOptions['mode'],
  });
  return { data, text: data.map(describeHit).join('\n\n') || 'Nothing was found.' };
}

function readLimit(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new ConfigurationError('--limit: must be a whole number');
}

function describeHit(hit: SearchHit): string {
  const text = hit.pageContent.replace(/\s+/g, ' ').slice(0, TEXT_CHARACTERS);
  return `${hit.score.toFixed(3)}  ${printable(placeOf(hit))}\n${printable(text)}`;
}
