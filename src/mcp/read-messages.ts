import { invalidInput } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { readJsonValue } from '../http/read-json.ts';

/** Several times the number that the tools take. Each wrong value would get its own message in the response. */
const MOST_VALUES = 5000;

/**
 * Reads the message of a request, or the batch that clients of version 2025-03-26 may send.
 *
 * @throws AppError those of `readJson`
 */
export async function readMessages(request: Request): Promise<unknown> {
  const body = await readJsonValue(request);
  if (Array.isArray(body) && body.length > LIMITS.batchMessages) {
    return invalidInput(`a batch must have at most ${LIMITS.batchMessages} messages`);
  }
  if (hasMoreValues(body, MOST_VALUES)) {
    return invalidInput(`a request must have at most ${MOST_VALUES} values`);
  }
  return body;
}

/** Whether objects and lists within each other have more than so many members. */
function hasMoreValues(body: unknown, most: number): boolean {
  const values = [body];
  // Those that are added meanwhile, too.
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (values.length + members.length > most) return true;
    values.push(...members);
  }
  return false;
}
