import { z } from 'zod';
import { AppError, invalidInput } from '../core/errors.ts';
import { isStorable } from '../core/is-storable.ts';
import { LIMITS, type Range } from '../core/limits.ts';
import { PERMISSIONS, type Permission } from '../core/policy.ts';
import { SEARCH_MODES, type SearchMode } from '../core/search-mode.ts';

const datasetId = z
  .string('datasetId must be a string')
  .max(
    LIMITS.datasetIdCharacters,
    `datasetId must be 1 to ${LIMITS.datasetIdCharacters} characters long`,
  )
  // A replacement character stands for bytes that were not UTF-8, in a form or a URL: `café` and `cafè` of
  // a program that sends Latin-1 would be one dataset.
  .refine((id) => isStorable(id) && !id.includes('\ufffd'), 'datasetId must be readable text')
  // In a path, these would be resolved: DELETE /datasets/../files would be DELETE /files.
  .refine((id) => id !== '.' && id !== '..', 'datasetId must not be . or ..');

const question = z
  .string('question must be a string')
  .max(
    LIMITS.questionCharacters,
    `question must be at most ${LIMITS.questionCharacters} characters long`,
  );

const cursor = z.string('cursor must be a string');

const WRONG_PERMISSIONS = `permissions must be a list of at least one of ${new Intl.ListFormat('en-GB').format(PERMISSIONS)}`;
const permissions = z
  .array(z.enum(PERMISSIONS, WRONG_PERMISSIONS), WRONG_PERMISSIONS)
  .min(1, WRONG_PERMISSIONS);

const WRONG_IDEMPOTENCY_KEY = `the idempotency key must be 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters`;
const idempotencyKey = z
  .string(WRONG_IDEMPOTENCY_KEY)
  .max(LIMITS.idempotencyKeyCharacters, WRONG_IDEMPOTENCY_KEY)
  .regex(/^[!-~]+$/, WRONG_IDEMPOTENCY_KEY);

/** The inputs of requests, apart from filters. */
export const INPUTS = { datasetId, question, cursor, permissions, idempotencyKey };

/**
 * Validates a value.
 *
 * @throws AppError INVALID_INPUT with the message of the schema
 */
export function readInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  return invalidInput(error.issues[0]?.message ?? 'Invalid input');
}

/** A dataset id, or `undefined` when none is given. */
export function readDatasetId(value: unknown): string | undefined {
  return isMissing(value) ? undefined : readInput(datasetId, value);
}

/** Whether a dataset can have this id. */
export function isDatasetId(value: string): boolean {
  return datasetId.safeParse(value).success;
}

/** An idempotency key, or `undefined` when none is given. */
export function readIdempotencyKey(value: unknown): string | undefined {
  return isAbsent(value) ? undefined : readInput(idempotencyKey, value);
}

/** A question that is not blank. */
export function readQuestion(value: unknown): string {
  if (isMissing(value)) throw new AppError('DATASET_AND_QUESTION_REQUIRED');
  const text = readInput(question, value);
  if (text.trim() === '') throw new AppError('DATASET_AND_QUESTION_REQUIRED');
  return text.toWellFormed();
}

const MODES = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(SEARCH_MODES);

/** The permissions of a token, each once; `undefined` when none are given. */
export function readPermissions(value: unknown): Permission[] | undefined {
  return isAbsent(value) ? undefined : [...new Set(readInput(permissions, value))];
}

/** A search mode, in upper or lower case; `vector` when none is given. */
export function readSearchMode(value: unknown): SearchMode {
  if (isMissing(value)) return 'vector';
  const named = typeof value === 'string' ? value.toLowerCase() : undefined;
  return SEARCH_MODES.find((one) => one === named) ?? invalidInput(`mode must be ${MODES}`);
}

/** @param parse throws AppError INVALID_INPUT for a text that is not a cursor of this list */
export function readCursor<T>(value: unknown, parse: (cursor: string) => T): T | undefined {
  return isAbsent(value) ? undefined : parse(readInput(cursor, value));
}

/** A whole number in a range, or the default when none is given. */
export function readWholeNumber(value: unknown, name: string, { min, max, preset }: Range): number {
  if (isMissing(value)) return preset;
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) {
    return Number(value);
  }
  return invalidInput(`${name} must be between ${min} and ${max}`);
}

/** Whether nothing is given. An empty text counts as nothing: it comes from an empty field of a form. */
export function isMissing(value: unknown): boolean {
  return isAbsent(value) || value === '';
}

/**
 * Whether nothing is given, not even an empty text. That one does not count as nothing where a restriction
 * is read: a variable that was not set must not lift the restriction.
 */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
