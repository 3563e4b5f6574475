import { LIMITS, PERIODS } from '../core/limits.ts';
import type { InputFields } from './builder.ts';

/** The argument that makes an operation repeatable. */
export function idempotencyKeyField(t: InputFields) {
  return t.string({
    description: `Makes a repeat safe: within ${PERIODS.idempotencyKeyHours} hours, a request with the same key and the same input gets the same response, without a second charge. 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters, such as a UUID.`,
  });
}
