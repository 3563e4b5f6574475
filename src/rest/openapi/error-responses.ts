import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import type { JsonObject } from '../../core/model.ts';
import { type OperationPolicy, POLICY } from '../../core/policy.ts';
import type { RestOperation } from '../routes.ts';
import { ref } from './schemas.ts';

/**
 * The error responses of an operation, by status.
 *
 * @param own the codes that its policy does not imply
 */
export function errorResponses(operation: RestOperation, own: ErrorCode[]): JsonObject {
  const codes = [...new Set([...codesOf(POLICY[operation]), ...own])];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const inOrder = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(inOrder.map(([status, codes]) => [status, errorResponse(codes)]));
}

/** The codes with which every operation with such a policy can fail. */
function codesOf(policy: OperationPolicy): ErrorCode[] {
  return [
    policy.credential,
    'INVALID_CREDENTIAL',
    'TOKEN_EXPIRED',
    ...(policy.scope !== 'customer' && policy.permission ? (['PERMISSION_DENIED'] as const) : []),
    ...(policy.scope === 'dataset' ? [policy.missing, policy.mismatch] : []),
    ...(policy.window ? (['RATE_LIMITED'] as const) : []),
    ...(policy.price ? (['INSUFFICIENT_CREDITS'] as const) : []),
    ...(policy.repeatable ? REPEATS : []),
    'INVALID_INPUT',
    'UNAVAILABLE',
    'INTERNAL',
  ];
}

const REPEATS = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENT_ANSWER_NOT_KEPT',
] as const;

/** Codes with the detail `retryAfterSeconds`, which is the header `Retry-After`. */
const RETRIED: readonly ErrorCode[] = ['RATE_LIMITED', 'IDEMPOTENCY_KEY_IN_USE', 'UNAVAILABLE'];

function errorResponse(codes: ErrorCode[]): JsonObject {
  const isUnpaid = codes.includes('INSUFFICIENT_CREDITS');
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERRORS[code].description}`).join('\n'),
    headers: {
      'X-Error-Code': {
        description: 'Names the error exactly.',
        required: true,
        schema: { type: 'string', enum: codes },
      },
      ...(codes.some((code) => RETRIED.includes(code)) && {
        'Retry-After': {
          description: 'Seconds after which the request may succeed.',
          schema: { type: 'integer', minimum: 0 },
        },
      }),
    },
    content: {
      'application/json': {
        schema: ref(isUnpaid ? 'InsufficientCredits' : 'Error'),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: isUnpaid ? UNPAID : { error: textOf(code) } }]),
        ),
      },
    },
  };
}

/** Of a question that costs 0.1. */
const UNPAID = {
  error: 'INSUFFICIENT_CREDITS',
  message: 'This costs 0.1 credits and 0.05 are left: please top up.',
  details: { required: 0.1, available: 0.05 },
};

/** Details for the texts of all codes. */
const DETAILS = {
  reason: 'limit must be between 1 and 50',
  expected: 'application/json',
  file: 'report.pdf',
  indexed: 'text-embedding-3-small',
  configured: 'lexical',
};

function textOf(code: ErrorCode): string {
  const text: string | ((details: never) => string) = ERRORS[code].text;
  if (typeof text === 'string') return text;
  const reason = REASONS[code];
  return text({ ...DETAILS, ...(reason && { reason }) } as never);
}

const REASONS: Partial<Record<ErrorCode, string>> = {
  UNREADABLE_FILE: 'the file is empty',
  UNSUPPORTED_FILE_TYPE: 'files of this type cannot be read',
  RECORDING_TOO_LARGE: 'the recording is too large for the transcription',
};
