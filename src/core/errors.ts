import { ERRORS } from './error-table.ts';

export { ERRORS };

export type ErrorCode = keyof typeof ERRORS;

type TextOf<C extends ErrorCode> = (typeof ERRORS)[C]['text'];
/** The details that the text of a code needs; none for a fixed text. */
export type DetailsOf<C extends ErrorCode> =
  TextOf<C> extends (details: infer F) => string ? [details: F] : [];

/** A failure that clients see, with the status and the text of its code. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: C, ...[details]: DetailsOf<C>) {
    const text: string | ((details: never) => string) = ERRORS[code].text;
    super(typeof text === 'string' ? text : text(details as never));
    this.name = 'AppError';
    this.code = code;
    this.details = (details as Record<string, string | number> | undefined) ?? {};
  }
}

/** The database or the storage is unavailable: the client may try again after a few seconds. */
export function unavailable(): AppError {
  return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
}

/**
 * @param param the part of the request that is wrong, for protocols that name it
 * @throws AppError INVALID_INPUT with this reason
 */
export function invalidInput(reason: string, param?: string): never {
  throw new AppError('INVALID_INPUT', { reason, ...(param !== undefined && { param }) });
}

/** An error as a client sees it. */
export interface PublicError {
  code: ErrorCode;
  status: number;
  text: string;
  details: Readonly<Record<string, string | number>>;
}

/** Anything that is not an `AppError` is masked as `INTERNAL`; the caller must log it. */
export function toPublicError(error: unknown): PublicError {
  const known: AppError = error instanceof AppError ? error : new AppError('INTERNAL');
  const { code, message, details } = known;
  return { code, status: ERRORS[code].status, text: message, details };
}

/** A failure that the operator can fix, such as a wrong setting; the message is one line that says how. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
