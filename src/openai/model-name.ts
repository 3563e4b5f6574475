import { visibleDataset } from '../core/authorize.ts';
import type { Call } from '../core/call.ts';
import { invalidInput } from '../core/errors.ts';

/** The model of a token's dataset, whatever its name. */
export const OWN_DATASET = 'filequery';
const PREFIX = `${OWN_DATASET}/`;

/**
 * The dataset that a model name refers to, `docs` or `filequery/docs`: that of the caller's token when it
 * names none, and `undefined` when there is no token either.
 *
 * @throws AppError INVALID_INPUT for a value that is not a name
 */
export function datasetFor({ principal }: Call, model: unknown): string | undefined {
  return datasetOf(model) ?? (principal && visibleDataset(principal));
}

/** The model of a dataset: its id, with a prefix where the id alone would name another one. */
export function modelOf(datasetId: string): string {
  return datasetOf(datasetId) === datasetId ? datasetId : PREFIX + datasetId;
}

function datasetOf(model: unknown): string | undefined {
  if (model === undefined || model === null || model === OWN_DATASET) return undefined;
  if (typeof model !== 'string') return invalidInput('model must be a string', 'model');
  const datasetId = model.startsWith(PREFIX) ? model.slice(PREFIX.length) : model;
  return datasetId || undefined;
}
