import type { Filter, SearchHit } from '../core/model.ts';
import { CAPS, DEFAULT_HITS } from '../core/policy.ts';
import type { SearchMode } from '../core/search-mode.ts';
import { findDataset } from './datasets.ts';
import type { Dependencies } from './dependencies.ts';
import type { DatasetCaller, UseCase } from './guard.ts';
import { readFilters, readQuestion, readSearchMode, readWholeNumber } from './read-input.ts';

type Deps = Pick<Dependencies, 'query' | 'index' | 'embeddings'>;

export interface QuestionInput {
  question?: unknown;
  filters?: unknown;
}

export interface SearchInput extends QuestionInput {
  /** The most hits to return. */
  limit?: unknown;
  /** By vectors unless given. */
  mode?: unknown;
}

/** A question and what narrows it, as they were read. */
export interface Question {
  question: string;
  filters: Filter[];
}

/** How chunks are chosen, and the most of them. */
export interface Retrieval {
  mode: SearchMode;
  limit: number;
}

/** The chunks of a dataset that are best for a question, best first. */
export function search(deps: Deps) {
  const retrieve = createRetrieve(deps);
  return {
    read: (input: SearchInput) => ({
      ...readQuestionInput(input),
      mode: readSearchMode(input.mode),
      limit: readWholeNumber(input.limit, 'limit', {
        min: 1,
        max: CAPS.searchHits,
        preset: DEFAULT_HITS,
      }),
    }),
    run: (caller, { limit, mode, ...question }) => retrieve(caller, question, { limit, mode }),
  } satisfies UseCase<'search', SearchInput, Question & Retrieval, Promise<SearchHit[]>>;
}

export function readQuestionInput({ question, filters }: QuestionInput): Question {
  return { question: readQuestion(question), filters: readFilters(filters) };
}

/** Finds the chunks for a question; a dataset that is not there has none. */
export function createRetrieve({ query, index, embeddings }: Deps) {
  return async function retrieve(
    caller: DatasetCaller,
    { question, filters }: Question,
    retrieval: Retrieval,
  ): Promise<SearchHit[]> {
    const { customerKey, signal, steps } = caller;
    const dataset = await steps.time('dataset', () => findDataset({ query, embeddings }, caller));
    if (!dataset || dataset.chunkCount === 0) return [];
    const vector = await steps.time('embed', () => embeddings.embedQuestion(question, signal));
    const { key: datasetKey, chunkCount } = dataset;
    const scope = { customerKey, datasetKey, chunkCount, filters };
    return steps.time('search', () => index.search({ ...scope, ...retrieval, question, vector }));
  };
}
