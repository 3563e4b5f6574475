import { datasetCursor, nextCursor } from '../core/cursor.ts';
import { AppError } from '../core/errors.ts';
import { RANGES } from '../core/limits.ts';
import type { Handler } from '../http/route.ts';
import type { DatasetSummary } from '../use-cases/index.ts';
import { datasetFor, modelOf } from './model-name.ts';

/** GET /v1/models: every dataset, because OpenAI's format has no pages. */
export const listModels: Handler = async ({ useCases, call }) => {
  const data = [];
  let after: string | undefined;
  do {
    const page = await useCases.listDatasets(call, { limit: RANGES.pageSize.max, after });
    data.push(...page.items.map(presentModel));
    after = nextCursor(page, datasetCursor);
  } while (after !== undefined);
  return Response.json({ object: 'list', data });
};

/** GET /v1/models/:model */
export const getModel: Handler = async ({ useCases, call, params }) => {
  const datasetId = datasetFor(call, params['model']);
  const page = datasetId ? await useCases.listDatasets(call, { datasetId }) : undefined;
  const [dataset] = page?.items ?? [];
  if (!dataset) throw new AppError('NOT_FOUND');
  return Response.json(presentModel(dataset));
};

function presentModel({ datasetId, created }: DatasetSummary) {
  return {
    id: modelOf(datasetId),
    object: 'model',
    created: Math.floor(created.getTime() / 1000),
    owned_by: 'filequery',
  };
}
