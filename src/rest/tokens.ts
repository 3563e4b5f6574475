import { readJson } from '../http/read-json.ts';
import type { Handler } from './route.ts';

/** POST /v1/tokens/create */
export const createToken: Handler = async ({ useCases, call, request }) =>
  Response.json(await useCases.createToken(call, await readJson(request)));
