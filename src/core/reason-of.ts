/** Why something failed, in one line. A host with several addresses fails once for each of them. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return firstLine(message);
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
