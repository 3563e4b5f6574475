import { z } from 'zod';

/**
 * An argument that may be missing, or null: some models fill in every argument that a tool has. Its JSON
 * Schema has only the type, because some clients cannot read a list of types.
 */
export function optional<T extends z.ZodType>(type: T) {
  return z.preprocess((value) => value ?? undefined, type.optional()).optional();
}
