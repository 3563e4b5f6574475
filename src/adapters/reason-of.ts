/** Why something failed, in one line. A host with several addresses fails for each of them. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
