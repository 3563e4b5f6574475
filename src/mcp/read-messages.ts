import { invalidInput } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { readJsonValue } from '../http/read-json.ts';

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
  return body;
}
