import { memoize } from '../core/memoize.ts';
import type { Door, Service } from '../http/door.ts';
import { errorResponse } from '../http/error-response.ts';
import { createRouteDoor } from '../http/route-door.ts';
import { createStaticFile, serveStaticFile } from '../http/static-file.ts';
import { createDocument, type DocumentOptions } from './openapi/document.ts';
import { ROUTES } from './routes.ts';

/** REST /v1: the routes of the contract, and the document that describes them. */
export function createRest(service: Service, options: DocumentOptions): Door {
  const document = memoize(() =>
    createStaticFile('application/json', JSON.stringify(createDocument(options))),
  );
  const door = createRouteDoor(service, {
    path: '/v1',
    routes: ROUTES,
    renderError: errorResponse,
  });
  door.routes.get('/openapi.json', ({ req }) => serveStaticFile(req.raw, document()));
  return door;
}
