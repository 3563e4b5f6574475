import { type PublicError, toPublicError } from '../core/errors.ts';

/**
 * The JSON response for a failure: `{ error }` with the status of its code, the code as `X-Error-Code`,
 * and `Retry-After` where the code has one. Anything that is not an `AppError` is masked; the caller must log it.
 */
export function errorResponse(error: unknown): Response {
  const known = toPublicError(error);
  return Response.json(bodyOf(known), { status: known.status, headers: errorHeaders(known) });
}

/** The response headers of a failure. */
export function errorHeaders({
  code,
  details: { retryAfterSeconds },
}: Pick<PublicError, 'details'> & { code: string }): Record<string, string> {
  return {
    'x-error-code': code,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
}

/** A failure as one text, for protocols whose clients show it to users and models. */
export function describeError(error: unknown): string {
  const known = toPublicError(error);
  const { message } = bodyOf(known);
  const { retryAfterSeconds } = known.details;
  const when = retryAfterSeconds === undefined ? '' : `: try again in ${retryAfterSeconds} s`;
  return message === undefined ? known.text + when : `${known.text}: ${message}`;
}

/** The body of a response for a failure; its message and details are for callers that need them. */
export function bodyOf({ code, text, details }: PublicError): {
  error: string;
  message?: string;
  details?: object;
} {
  if (code !== 'INSUFFICIENT_CREDITS') return { error: text };
  const { required, available } = details;
  return {
    error: text,
    message: `This costs ${required} credits and ${available} are left: please top up.`,
    details: { required, available },
  };
}
