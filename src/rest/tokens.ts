import { readJson } from '../http/read-json.ts';
import type { Handler } from '../http/route.ts';

/** The fields that limit a token; the response to a request without them is exactly that of the contract. */
const LIMITS = ['permissions', 'filters', 'maxCredits'];

/** POST /v1/tokens/create */
export const createToken: Handler = async ({ useCases, call, request, idempotencyKey }) => {
  const body = { ...(await readJson(request)), idempotencyKey };
  const { token, expiresIn, tokenId } = await useCases.createToken(call, body);
  const isLimited = LIMITS.some((field) => Object.hasOwn(body, field));
  return Response.json({ token, expiresIn, ...(isLimited && { tokenId }) });
};

/** DELETE /v1/tokens/:tokenId */
export const revokeToken: Handler = async ({ useCases, call, params }) => {
  await useCases.revokeToken(call, { tokenId: params['tokenId'] });
  return Response.json({ success: true });
};
