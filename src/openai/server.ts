import type { Door, Service } from '../http/door.ts';
import { createRouteDoor } from '../http/route-door.ts';
import { createChatCompletions } from './chat-completions.ts';
import { getModel, listModels } from './models.ts';
import { openaiError } from './openai-errors.ts';

/**
 * Chat completions and models in OpenAI's format: a model is a dataset.
 *
 * @param options.publicUrl the URL at which clients reach the gateway, if it is known
 */
export function createOpenai(service: Service, options: { publicUrl: string | undefined }): Door {
  return createRouteDoor(service, {
    path: '/v1',
    routes: [
      ['POST', '/chat/completions', 'answerQuestion', createChatCompletions(options)],
      ['GET', '/models', 'listDatasets', listModels],
      // The id of a dataset may have slashes.
      ['GET', '/models/:model{.+}', 'listDatasets', getModel],
    ],
    renderError: openaiError,
  });
}
