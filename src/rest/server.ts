import type { Door, Service } from '../http/door.ts';
import { errorResponse } from '../http/error-response.ts';
import { createRouteDoor } from '../http/route-door.ts';
import { ROUTES } from './routes.ts';

/** REST /v1: the routes of the contract. */
export function createRest(service: Service): Door {
  return createRouteDoor(service, { path: '/v1', routes: ROUTES, renderError: errorResponse });
}
