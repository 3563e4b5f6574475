import type { Filter, SearchHit } from '../core/model.ts';
import { CAPS, DEFAULT_HITS } from '../core/policy.ts';
import { findDataset } from './datasets.ts';
import type { Dependencies } from './dependencies.ts';
import type { DatasetCaller, UseCase } from './guard.ts';
import { readFilters, readQuestion, readWholeNumber } from './read-input.ts';

type Deps = Pick<Dependencies, 'query' | 'index' | 'embeddings'>;

export interface QuestionInput {
  question?: unknown;
  filters?: unknown;
}

export interface SearchInput extends QuestionInput {
  /** The most hits to return. */
  limit?: unknown;
}

/** A question and what narrows it, as they were read. */
export interface Question {
  question: string;
  filters: Filter[];
}

/** The chunks of a dataset that are nearest to a question, best first. */
export function search(deps: Deps) {
  const retrieve = createRetrieve(deps);
  return {
    read: (input: SearchInput) => ({
      ...readQuestionInput(input),
      limit: readWholeNumber(input.limit, 'limit', {
        min: 1,
        max: CAPS.searchHits,
        preset: DEFAULT_HITS,
      }),
    }),
    run: (caller, { limit, ...question }) => retrieve(caller, question, limit),
  } satisfies UseCase<'search', SearchInput, Question & { limit: number }, Promise<SearchHit[]>>;
}

export function readQuestionInput({ question, filters }: QuestionInput): Question {
  return { question: readQuestion(question), filters: readFilters(filters) };
}

/** Finds the chunks for a question; a dataset that is not there has none. */
export function createRetrieve({ query, index, embeddings }: Deps) {
  return async function retrieve(
    caller: DatasetCaller,
    { question, filters }: Question,
    limit: number,
  ): Promise<SearchHit[]> {
    const { customerKey, signal, steps } = caller;
    const dataset = await steps.time('dataset', () => findDataset({ query, embeddings }, caller));
    if (!dataset || dataset.chunkCount === 0) return [];
    const vector = await steps.time('embed', () => embeddings.embedQuestion(question, signal));
    const { key: datasetKey, chunkCount } = dataset;
    const scope = { customerKey, datasetKey, chunkCount };
    return steps.time('search', () => index.search({ ...scope, vector, filters, limit }));
  };
}
