import { invalidInput } from '../core/errors.ts';

/** The model of a token's dataset, whatever its name. */
export const OWN_DATASET = 'filequery';
const PREFIX = `${OWN_DATASET}/`;

/**
 * The dataset that a model stands for, `docs` or `filequery/docs`; `undefined` when it names none.
 *
 * @throws AppError INVALID_INPUT for what is no name
 */
export function datasetOf(model: unknown): string | undefined {
  if (model === undefined || model === null || model === OWN_DATASET) return undefined;
  if (typeof model !== 'string') return invalidInput('model must be a string', 'model');
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : model;
}

/** The model of a dataset: its id, with a prefix where the id alone would name another one. */
export function modelOf(datasetId: string): string {
  return datasetOf(datasetId) === datasetId ? datasetId : PREFIX + datasetId;
}
