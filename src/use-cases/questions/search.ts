import type { Filter } from '../../core/filter.ts';
import { RANGES } from '../../core/limits.ts';
import type { SearchHit } from '../../core/model.ts';
import type { SearchMode } from '../../core/search-mode.ts';
import type { ChunkHit, ChunkScope } from '../../ports/chunk-index.ts';
import { findDataset, OUTDATED_MS } from '../datasets/datasets.ts';
import type { Dependencies } from '../dependencies.ts';
import { readFilters } from '../filters.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { readQuestion, readSearchMode, readWholeNumber } from '../input.ts';

type Deps = Pick<Dependencies, 'query' | 'index' | 'embeddings'>;

export interface QuestionInput {
  question?: unknown;
  filters?: unknown;
}

export interface SearchInput extends QuestionInput {
  /** The maximum number of hits. */
  limit?: unknown;
  /** Default: by vectors. */
  mode?: unknown;
}

/** A validated question with its filters. */
export interface Question {
  question: string;
  filters: Filter[];
}

/** The search mode, and the maximum number of chunks. */
export interface Retrieval {
  mode: SearchMode;
  limit: number;
}

/** Finds the best chunks of a dataset for a question, best first. */
export function search(deps: Deps) {
  const findScope = createFindScope(deps);
  const openSearch = createOpenSearch(deps);
  return {
    read: (input: SearchInput) => ({
      ...readQuestionInput(input),
      mode: readSearchMode(input.mode),
      limit: readWholeNumber(input.limit, 'limit', RANGES.searchHits),
    }),
    async run(caller, { limit, mode, ...question }) {
      const scope = await findScope(caller, question);
      if (!scope) return [];
      const find = await openSearch(caller, scope, question);
      const hits = await find({ limit, mode });
      return hits.map(({ score, pageContent, metadata }) => ({ score, pageContent, metadata }));
    },
  } satisfies UseCase<'search', SearchInput, Question & Retrieval, Promise<SearchHit[]>>;
}

export function readQuestionInput({ question, filters }: QuestionInput): Question {
  return { question: readQuestion(question), filters: readFilters(filters) };
}

/** Finds the dataset to search; `undefined` if it does not exist or has no chunks. */
export function createFindScope(deps: Pick<Dependencies, 'query' | 'embeddings'>) {
  return async function findScope(
    caller: DatasetCaller,
    { filters }: Question,
  ): Promise<ChunkScope | undefined> {
    const dataset = await caller.record.time('dataset', () => findDataset(deps, caller));
    if (!dataset || dataset.chunkCount === 0) return undefined;
    const { key: datasetKey, chunkCount, version } = dataset;
    const all = [...caller.filters, ...filters];
    return { customerKey: caller.customerKey, datasetKey, version, chunkCount, filters: all };
  };
}

/**
 * Embeds a question once, for all searches with it.
 *
 * @throws AppError EMBEDDING_MODEL_MISMATCH when a reindex has switched the dataset to another model
 *   meanwhile
 */
export function createOpenSearch({ index, embeddings, query }: Deps) {
  return async function openSearch(
    caller: DatasetCaller,
    scope: ChunkScope,
    { question }: Question,
  ): Promise<(retrieval: Retrieval) => Promise<ChunkHit[]>> {
    const { signal, record } = caller;
    const start = performance.now();
    const vector = await record.time('embed', () => embeddings.embedQuestion(question, signal));
    // When that took long, the chunks may be gone.
    const isSlow = performance.now() - start > OUTDATED_MS / 2;
    if (isSlow) await findDataset({ query, embeddings }, caller);
    return (retrieval) =>
      record.time('search', () => index.search({ ...scope, ...retrieval, question, vector }));
  };
}
