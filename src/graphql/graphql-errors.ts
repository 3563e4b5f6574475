import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import { AppError, toPublicError } from '../core/errors.ts';
import { errorHeaders } from '../http/error-response.ts';

/**
 * A failure as a GraphQL client sees it: the text of its row, with code and details in the extensions.
 * GraphQL's own errors about the document stay as they are; those about variables count as invalid input.
 */
export function toGraphqlError(error: unknown, requestId?: string): GraphQLError {
  if (!(error instanceof GraphQLError)) return render(error, requestId);
  const { nodes, source, positions, path, message, extensions } = error;
  const cause = causeOf(error);
  if (!cause && extensions['code'] && extensions['code'] !== WRONG_VARIABLES) return error;
  const known = cause ?? new AppError('INVALID_INPUT', { reason: message });
  return render(known, requestId, { nodes, source, positions, path });
}

/** The code that a subscription gives wrong variables, and a query does not; `ErrorCode` lacks it. */
const WRONG_VARIABLES = 'BAD_USER_INPUT';

/** The failure of a whole request, with the HTTP status and headers of its row. */
export function toRequestError(error: unknown, requestId: string): GraphQLError {
  const known = toPublicError(error);
  const { message, extensions } = render(error, requestId);
  const http = { status: known.status, headers: errorHeaders(known) };
  return new GraphQLError(message, { extensions: { ...extensions, http } });
}

/** The error that was thrown in our code, if any. */
export function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError ? causeOf(error.originalError) : undefined;
}

function render(error: unknown, requestId?: string, place: GraphQLErrorOptions = {}): GraphQLError {
  const { code, text, details } = toPublicError(error);
  return new GraphQLError(text, {
    ...place,
    extensions: { code, ...details, ...(requestId && { requestId }) },
  });
}
