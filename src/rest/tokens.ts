import { readJson } from '../http/read-json.ts';
import type { Handler } from './route.ts';

/** POST /v1/tokens/create */
export const createToken: Handler = async ({ useCases, call, request, idempotencyKey }) => {
  const input = { ...(await readJson(request)), idempotencyKey };
  const { token, expiresIn } = await useCases.createToken(call, input);
  return Response.json({ token, expiresIn });
};
