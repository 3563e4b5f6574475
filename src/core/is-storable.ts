/** Whether PostgreSQL can store a text: it must be well-formed Unicode, without NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
