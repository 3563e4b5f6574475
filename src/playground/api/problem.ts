import { FilequeryError } from '../../client/client-errors.ts';

/** Why something did not work. */
export interface Problem {
  /** An `ErrorCode` of the gateway, or one of the client, such as `NETWORK`. */
  code: string;
  /** What a user is told. */
  text: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof FilequeryError) return { code: error.code, text: explain(error) };
  return { code: 'UNKNOWN', text: error instanceof Error ? error.message : String(error) };
}

/** The text of the gateway, completed with its details. */
function explain({ code, message, details }: FilequeryError): string {
  const { required, available, retryAfterSeconds } = details;
  switch (code) {
    case 'NETWORK':
      return `${message}. Check that it is running and that you are online.`;
    case 'TOKEN_EXPIRED':
      return 'The token has expired.';
    case 'FILE_TOO_LARGE':
      return TOO_LARGE;
    case 'INSUFFICIENT_CREDITS':
      return `Not enough credits: this costs ${required}, and ${available} are left.`;
    case 'RATE_LIMITED':
      return `Too many requests. Try again in ${retryAfterSeconds} seconds.`;
    case 'UNAVAILABLE':
      return `${message}. Try again in a moment.`;
    default:
      return message;
  }
}

export const TOO_LARGE = 'The file is too large.';

/** Whether only another credential helps. */
export function endsSession({ code }: Problem): boolean {
  return code === 'TOKEN_EXPIRED' || code === 'INVALID_CREDENTIAL';
}

/** Whether the same request may work later. A network that wants a sign-in answers in place of the gateway. */
export function isPassing(error: unknown): boolean {
  const code = error instanceof FilequeryError ? error.code : '';
  return /^(NETWORK|NO_GATEWAY|UNAVAILABLE|RATE_LIMITED|TOO_MANY_SUBSCRIPTIONS|INTERNAL|HTTP_5\d\d)$/.test(
    code,
  );
}
