/** Whether PostgreSQL can store a text: it must be well-formed Unicode, without NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Whether PostgreSQL can store a value as JSON without a change.
 *
 * @param levels of objects and lists within each other, at most
 */
export function isStorableJson(value: unknown, levels = Number.POSITIVE_INFINITY): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return (
    levels > 0 &&
    Object.entries(value).every(
      ([key, part]) => isStorable(key) && isStorableJson(part, levels - 1),
    )
  );
}
