import { readJson } from '../http/read-json.ts';
import type { Handler } from './route.ts';

/** POST /v1/tokens/create */
export const createToken: Handler = async ({ useCases, call, request }) => {
  const { token, expiresIn } = await useCases.createToken(call, await readJson(request));
  return Response.json({ token, expiresIn });
};
