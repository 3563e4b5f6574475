import { type PublicError, toPublicError } from '../core/errors.ts';

/**
 * The JSON response for a failure: `{ error }` with the status of its code, the code as `X-Error-Code`,
 * and `Retry-After` where the code has one. Anything that is not an `AppError` is masked; the caller must log it.
 */
export function errorResponse(error: unknown): Response {
  const known = toPublicError(error);
  const { retryAfterSeconds } = known.details;
  return Response.json(bodyOf(known), {
    status: known.status,
    headers: {
      'x-error-code': known.code,
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  });
}

function bodyOf({ code, text, details }: PublicError) {
  if (code !== 'INSUFFICIENT_CREDITS') return { error: text };
  const { required, available } = details;
  return {
    error: text,
    message: `This costs ${required} credits and ${available} are left: please top up.`,
    details: { required, available },
  };
}
