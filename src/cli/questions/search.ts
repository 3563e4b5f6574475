import { randomUUID } from 'node:crypto';
import { type Outcome, printable } from '../output.ts';
import { query } from '../remote/graphql.ts';
import type { Remote } from '../remote/remote.ts';
import { HIT_FIELDS, type Hit, placeOf } from './place.ts';
import { readFilters } from './read-filters.ts';

export interface SearchCommand {
  question: string;
  filters?: string;
  limit?: string;
  mode?: string;
}

const SEARCH = `query ($input: SearchInput!) { search(input: $input) { ${HIT_FIELDS} } }`;

const TEXT_CHARACTERS = 300;

/** Searches, and shows the best chunks. */
export async function search(
  remote: Remote,
  { question, filters, limit, mode }: SearchCommand,
): Promise<Outcome> {
  const input = {
    datasetId: remote.datasetId,
    question,
    filters: readFilters(filters),
    limit: limit === undefined ? undefined : Number(limit),
    mode: mode?.toUpperCase(),
    idempotencyKey: randomUUID(),
  };
  const { search: found } = await query<{ search: Hit[] }>(remote, SEARCH, { input });
  return {
    data: found,
    text: found.map(describeHit).join('\n\n') || 'Nothing was found.',
  };
}

function describeHit(hit: Hit): string {
  const text = hit.pageContent.replace(/\s+/g, ' ').slice(0, TEXT_CHARACTERS);
  return `${hit.score.toFixed(3)}  ${printable(placeOf(hit))}\n${printable(text)}`;
}
