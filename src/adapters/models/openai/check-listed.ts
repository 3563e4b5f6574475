import type { OpenAI } from 'openai';
import { explainFailure, type FailedModel } from '../explain-failure.ts';
import { listAlternatives, listModels } from './openai-server.ts';

/**
 * Checks that a server has a model, without a request to the model. A server that does not list its
 * models passes.
 *
 * @throws Error that says why in one line
 */
export async function checkListed(client: OpenAI, wanted: FailedModel): Promise<void> {
  const { server, model, setting } = wanted;
  const models = await listModels(client).catch((error: unknown) => {
    throw explainFailure(error, wanted);
  });
  if (!models || models.includes(model)) return;
  const missing = `${setting}: ${model} at ${server.baseUrl} does not exist; use a model that does`;
  throw listAlternatives(new Error(missing), model, models);
}
