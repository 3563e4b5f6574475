/** An error response of the gateway, or a failure that prevented a response. */
export class FilequeryError extends Error {
  override readonly name = 'FilequeryError';
  /**
   * A value of the GraphQL enum `ErrorCode`, such as `INSUFFICIENT_CREDITS`; `NETWORK` when there was no
   * response, `HTTP_502` for the 502 of a proxy, `NO_GATEWAY` for a success that is not filequery's, and
   * `ANSWER_CHANGED` for a stream that cannot be resumed.
   */
  readonly code: string;
  /** The HTTP status; undefined without a response, and for failures in a stream. */
  readonly status: number | undefined;
  /** `required` and `available` credits, `retryAfterSeconds` and others, depending on the code. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    {
      code,
      status,
      details = {},
      cause,
    }: { code: string; status?: number; details?: Record<string, unknown>; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** The error of a response that is not a success. */
export async function errorOf(response: Response): Promise<FilequeryError> {
  const { status, headers } = response;
  const { error, details, errors } = parseBody(await response.text().catch(() => ''));
  const [first] = Array.isArray(errors) ? errors : [];
  const message = [error, first?.message].find((text) => typeof text === 'string');
  const retryAfter = headers.get('retry-after');
  return new FilequeryError(message ?? `HTTP ${status}`, {
    code: headers.get('x-error-code') ?? first?.extensions?.code ?? `HTTP_${status}`,
    status,
    details: {
      ...details,
      ...first?.extensions,
      ...(retryAfter && { retryAfterSeconds: secondsUntil(retryAfter) }),
    },
  });
}

/** The body of an error of REST or GraphQL. That of a proxy may have these names for anything else. */
interface ErrorBody {
  error?: unknown;
  details?: Record<string, unknown>;
  errors?: unknown;
}

/** JSON, also when it is the data of an event stream: a subscription is refused in one. */
function parseBody(text: string): ErrorBody {
  try {
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) ?? {};
  } catch {
    return {};
  }
}

/** The error of a GraphQL response. */
export function graphqlError({
  message,
  extensions: { code, ...details } = {},
}: {
  message: string;
  extensions?: Record<string, unknown>;
}): FilequeryError {
  return new FilequeryError(message, { code: String(code ?? 'UNKNOWN'), details });
}

/** The connection failed: the request may have been carried out or not. */
export function unreachable(cause: unknown): FilequeryError {
  return new FilequeryError('The gateway cannot be reached', { code: 'NETWORK', cause });
}

/** The function for the credential returned something else, which is not sent. */
export function unusableCredential(): FilequeryError {
  return new FilequeryError('The credential is neither an API key nor a token', {
    code: 'INVALID_CREDENTIAL',
  });
}

/** The server at this URL is not a gateway. */
export function notFilequery(status: number, cause?: unknown): FilequeryError {
  return new FilequeryError('This is no filequery gateway', { code: 'NO_GATEWAY', status, cause });
}

/** `Retry-After` is a number of seconds, or from some proxies a date. */
function secondsUntil(retryAfter: string): number {
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return seconds;
  return Math.max(0, (Date.parse(retryAfter) - Date.now()) / 1000) || 0;
}
