/** Why something did not work, whichever client tells it. */
export interface Problem {
  /** An `ErrorCode` of the gateway, or `NETWORK` when there is no answer. */
  code: string;
  /** The gateway's message. */
  message: string;
  details?: Record<string, unknown>;
}

interface GraphqlError {
  message: string;
  extensions?: Record<string, unknown>;
}

export const BROKEN_OFF: Problem = { code: 'NETWORK', message: 'The connection was lost.' };

/** @param errors none when the gateway has not answered, or not in GraphQL */
export function problemOf(errors: readonly GraphqlError[], failure: Error): Problem {
  const [error] = errors;
  if (!error) return { code: 'NETWORK', message: failure.message };
  const { code, ...details } = error.extensions ?? {};
  return { code: String(code), message: error.message, details };
}

/** What a user is told. */
export function explain({ code, message, details }: Problem): string {
  switch (code) {
    case 'NETWORK':
    case 'UNAVAILABLE':
      return 'The service cannot be reached.';
    case 'TOKEN_EXPIRED':
    case 'INVALID_CREDENTIAL':
      return 'Your session has ended.';
    case 'INSUFFICIENT_CREDITS':
      return `Not enough credits: this costs ${details?.['required']}, and ${details?.['available']} are left.`;
    case 'FILE_TOO_LARGE':
      return 'A file is too large.';
    case 'RATE_LIMITED':
      return `Too many requests. Try again in ${details?.['retryAfterSeconds']} seconds.`;
    default:
      return message;
  }
}

/** Whether only a new token helps. */
export function endsSession({ code }: Problem): boolean {
  return code === 'TOKEN_EXPIRED' || code === 'INVALID_CREDENTIAL';
}

/** Whether the same request may work later. */
export function isTemporary({ code }: Problem): boolean {
  return ['NETWORK', 'UNAVAILABLE', 'INTERNAL', 'IDEMPOTENCY_KEY_IN_USE'].includes(code);
}
